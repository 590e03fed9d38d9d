"""How fast check is, as ratios within one run on the same files.

    python bench/speed.py [--package NAME==VERSION]

1. cold: CPU time of checking all files of a package in one process, over what `libcst.parse_module` alone takes for
   those of its files that define a `forward`;
2. edit: re-checking the package's longest model file after a one-line edit, over `libcst.parse_module` of that file.
"""

from __future__ import annotations

import argparse
import ast
import gc
import statistics
import sys
import time
from pathlib import Path

import libcst
import packages
from exportdb_rules.engine import Project, Settings, check, check_files

ROUNDS = 5


def cpu(function, *args) -> float:
    """CPU seconds of one call."""
    gc.collect()
    start = time.process_time()
    function(*args)
    return time.process_time() - start


def parse_all(texts: list[str]) -> None:
    for text in texts:
        libcst.parse_module(text)


def ast_all(texts: list[str]) -> None:
    for text in texts:
        ast.parse(text)


def cold(folder: Path) -> None:
    files = [str(p) for p in sorted(folder.rglob("*.py"))]
    texts = [text for f in files if "def forward(" in (text := Path(f).read_text(encoding="utf-8"))]
    check_files(Project(folder), files[:1], Settings())  # imports and tables
    parse = min(cpu(parse_all, texts) for _ in range(2))
    plain = min(cpu(ast_all, texts) for _ in range(2))
    whole = min(cpu(lambda: check_files(Project(folder), files, Settings())) for _ in range(2))
    print(
        f"cold: {len(files)} files, {len(texts)} with a forward: check {whole:.2f} s CPU, libcst.parse_module {parse:.2f} s, "
        f"ast.parse {plain:.2f} s: ratio {whole / parse:.2f}"
    )


def edit(folder: Path) -> None:
    candidates = [p for p in folder.rglob("*.py") if "def forward(" in p.read_text(encoding="utf-8")]
    path = max(candidates, key=lambda p: (len(p.read_text(encoding="utf-8").splitlines()) <= 2500, p.stat().st_size))
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    at = next(i for i, line in enumerate(lines) if line.lstrip().startswith("return ") and i > len(lines) // 2)
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    project = Project(folder)
    check(project, str(path), Settings())
    times = []
    for i in range(3 * ROUNDS):
        changed = [*lines]
        changed[at] = f"{indent}edited = {i}; {lines[at].lstrip()}"
        project.set_text(str(path), "\n".join(changed))
        times.append(cpu(check, project, str(path), Settings()))
    parse = statistics.median(cpu(libcst.parse_module, text) for _ in range(ROUNDS))
    print(
        f"edit: {path.name}, {len(lines)} lines: re-check {1000 * statistics.median(times):.1f} ms, libcst.parse_module "
        f"{1000 * parse:.1f} ms: ratio {statistics.median(times) / parse:.2f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", default="vit-pytorch==1.26.11")
    options = parser.parse_args()
    folder = packages.fetch(*options.package.split("=="))
    cold(folder)
    edit(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
