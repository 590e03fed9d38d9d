"""Check every file of the standard library, of the installed torch, and of the public packages of bench/truth; and texts
that files of the first two and of torchvision become when they are cut, re-indented, renamed and so on, as the tests do;
and the small programs of the tests that are made to cost much.

    python bench/robust.py [--only stdlib,torch,mutated,pathological,packages]

Prints the internal errors that were met (there should be none), how often a bound of the analyser was hit, and the
files that took longer than 20 times `libcst.parse_module` of them plus 50 ms, all in CPU time, what a file imports
included; for a mutated text the file that it was made from is parsed. Garbage is collected between files. Ends with 1 where there was an error. Nothing of what is checked is executed.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import libcst
import packages
from exportdb_lsp.files.names import problem_line
from exportdb_rules import rule
from exportdb_rules.engine import Problem, Project, Settings, Unit, check_unit
from rich.console import Console
from rich.table import Table

# Above so many times the time of parsing, after so many seconds that nobody notices, a check is slow.
SLOW, UNNOTICED = 20, 0.05
SOURCES = ("stdlib", "torch", "mutated", "pathological", "packages")
MUTATED, PATHOLOGICAL = 2_000, 200
MAX_KEPT = 16_000_000

Checked = tuple[str, Unit, float]
"""A file, what was found from it, and the CPU seconds that it took."""


def sources(only: list[str]) -> Iterator[tuple[str, Iterator[Checked]]]:
    """The names of what is asked for, and its files."""
    if "stdlib" in only:
        yield "standard library", checked(Path(sysconfig.get_path("stdlib")))
    if "torch" in only:
        spec = find_spec("torch")
        if spec is None or spec.origin is None:
            raise SystemExit("torch is not installed here")
        yield "torch", checked(Path(spec.origin).parent)
    if "mutated" in only:
        yield "mutated", mutated(MUTATED)
    if "pathological" in only:
        yield "pathological", pathological(PATHOLOGICAL)
    if "packages" in only:
        for package, version in sorted({(row["package"], row["version"]) for row in packages.rows("fails.jsonl")}):
            yield f"{package} {version}", checked(packages.fetch(package, version))


def checked(folder: Path) -> Iterator[Checked]:
    """The Python files below a folder, without those of packages that are installed there."""
    project = Project(folder)
    for path in sorted(folder.rglob("*.py")):
        if path.is_file() and "site-packages" not in path.relative_to(folder).parts:
            if project.size() > MAX_KEPT:
                project = Project(folder)
                gc.collect()
            yield str(path), *timed(project, str(path))


def mutated(number: int) -> Iterator[Checked]:
    """Texts of the robustness tests, each under the name of the file that it was made from."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "robustness"))
    import mutations

    files, chance, project = mutations.sources(), random.Random(0), Project()
    for count in range(number):
        if project.size() > MAX_KEPT:
            project = Project()
            gc.collect()
        path, text = mutations.mutated(count, files, chance)
        name = f"mutated{count % 7}.py"
        project.set_text(name, text)
        yield str(path), *timed(project, name)


def pathological(number: int) -> Iterator[Checked]:
    """Programs of the robustness tests that are small and made to cost much, each a project of its own."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "robustness"))
    import pathological

    with tempfile.TemporaryDirectory() as folder:
        for name, text in pathological.sources(number):
            path = Path(folder, f"{name}.py")
            path.write_text(text, encoding="utf-8")
            yield str(path), *timed(Project(), str(path))
            gc.collect()


def timed(project: Project, filename: str) -> tuple[Unit, float]:
    """What is found from a file of a project, and the CPU seconds that it takes."""
    start = time.process_time()
    try:
        unit = check_unit(project, filename, Settings())
    except Exception as error:
        unit = Unit(filename, problems=(Problem(filename, f"{type(error).__name__}: {error}", internal=True),))
    return unit, time.process_time() - start


def parsing(filename: str) -> float:
    """CPU seconds of `libcst.parse_module` of a file; 0 where it does not parse."""
    data = Path(filename).read_bytes()
    start = time.process_time()
    try:
        libcst.parse_module(data)
    except Exception:
        return 0.0
    return time.process_time() - start


def _short(filename: str) -> str:
    """A file without the folders of this machine: from that of its package on."""
    for store in (packages.STORE, *map(Path, sys.path)):
        if store.is_absolute() and Path(filename).is_relative_to(store):
            return str(Path(filename).relative_to(store))
    return filename


def main() -> int:
    """Check, and print what went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default=",".join(SOURCES), help=f"of {', '.join(SOURCES)}, with commas")
    gc.disable()
    rule.registry()
    only = parser.parse_args().only.split(",")
    if unknown := set(only) - set(SOURCES):
        parser.error(f"--only: {', '.join(sorted(unknown))}: choose of {', '.join(SOURCES)}")
    table = Table(
        "source",
        "files",
        "findings",
        "syntax errors",
        "bounds hit",
        "internal errors",
        "slow",
        "and not told",
        "CPU seconds",
    )
    errors: list[Problem] = []
    slow: list[str] = []
    files = silent = 0
    for name, units in sources(only):
        count = 0
        before = len(errors), len(slow)
        findings = syntax = bounds = quiet = 0
        total = 0.0
        for filename, unit, seconds in units:
            count += 1
            total += seconds
            findings += len(unit.findings)
            errors += [problem for problem in unit.problems if problem.internal]
            syntax += sum(problem.message.startswith("syntax error") for problem in unit.problems)
            bounds += sum(problem.message.endswith("followed to its end") for problem in unit.problems)
            if seconds > UNNOTICED and seconds > SLOW * (parse := parsing(filename)) + UNNOTICED:
                told = any("follow" in problem.message for problem in unit.problems)
                quiet += not told
                times = seconds / parse if parse else 0
                slow.append(
                    f"{_short(filename)}: {seconds:.2f} s, {times:.0f} times parsing it{', with a note' if told else ''}"
                )
        files += count
        silent += quiet
        row = (count, findings, syntax, bounds, len(errors) - before[0], len(slow) - before[1], quiet, round(total))
        table.add_row(name, *map(str, row))
    console = Console(width=120)
    console.print(table)
    for line in slow:
        console.print(line, highlight=False, soft_wrap=True)
    for problem in errors:
        console.print(
            problem_line(replace(problem, filename=_short(problem.filename))), highlight=False, soft_wrap=True
        )
    print(f"{files} files: {len(errors)} internal errors, {len(slow)} slow, {silent} of them without a note")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
