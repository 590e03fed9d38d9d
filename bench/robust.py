"""Check every file of the standard library, of the installed torch, and of the public packages of bench/truth.

    python bench/robust.py [--only stdlib,torch,packages] [--jobs N]

Prints the internal errors that were met (there should be none), and how often a bound of the analyser was hit. Ends
with 1 where there was an error. Nothing of what is checked is executed.
"""

from __future__ import annotations

import argparse
import os
import sys
import sysconfig
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import packages
from exportdb_lsp.checking.checker import check_groups
from exportdb_lsp.checking.plan import Group
from exportdb_lsp.checking.results import Trouble, Work
from exportdb_rules.report import Settings
from rich.console import Console
from rich.table import Table

SOURCES = ("stdlib", "torch", "packages")


def folders(only: list[str]) -> Iterator[tuple[str, Path]]:
    """The names and folders of what is asked for."""
    if "stdlib" in only:
        yield "standard library", Path(sysconfig.get_path("stdlib"))
    if "torch" in only:
        spec = find_spec("torch")
        if spec is None or spec.origin is None:
            raise SystemExit("torch is not installed here")
        yield "torch", Path(spec.origin).parent
    if "packages" in only:
        for package, version in sorted({(row["package"], row["version"]) for row in packages.rows("fails.jsonl")}):
            yield f"{package} {version}", packages.fetch(package, version)


def files_of(folder: Path) -> tuple[str, ...]:
    """The Python files below a folder, without those of packages that are installed there."""
    found = (path for path in sorted(folder.rglob("*.py")) if path.is_file())
    return tuple(str(path) for path in found if "site-packages" not in path.relative_to(folder).parts)


def main() -> int:
    """Check, and print what went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default=",".join(SOURCES), help="of stdlib, torch and packages, with commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    only = options.only.split(",")
    if unknown := set(only) - set(SOURCES):
        parser.error(f"--only: {', '.join(sorted(unknown))}: choose of {', '.join(SOURCES)}")
    table = Table("source", "files", "findings", "syntax errors", "bounds hit", "internal errors", "seconds")
    errors: list[Trouble] = []
    for name, folder in folders(only):
        names = files_of(folder)
        start = time.monotonic()
        checked = check_groups([Group(folder, Settings(), names)], Work(), options.jobs)
        troubles = [trouble for item in checked for trouble in item.troubles]
        internal = [trouble for trouble in troubles if "internal error" in trouble.message]
        syntax = [trouble for trouble in troubles if trouble.message.startswith("syntax error")]
        errors += internal
        row = (len(names), sum(len(item.found) for item in checked), len(syntax))
        bounds = len(troubles) - len(internal) - len(syntax)
        table.add_row(name, *map(str, (*row, bounds, len(internal), round(time.monotonic() - start))))
    console = Console(width=120)
    console.print(table)
    for trouble in errors:
        console.print(f"{trouble.filename}:{trouble.row}: {trouble.message}", highlight=False, soft_wrap=True)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
