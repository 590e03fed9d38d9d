"""Verdicts on what programs are exported for, compared with a plain script of the goal's own tools.

    python bench/goals.py [--goal onnx|executorch|aoti]… [--limit N] [--keep FILE --seconds N] [--packages DIR] [--verbose]

The programs (goal_programs.py) are one for each of many operators, ten whose dimensions torch.export refuses, the cases that
declare named dimensions, others drawn from the cases, and models of public packages. A script that knows nothing of this
project (plain_goal.py) takes each to each goal and says `fails`, `diverges`, `specializes` or `ok`. Right is a verdict that is
the same. The line of an operator that is not supported is the marked one, and so is the line that a dimension does not hold on.
Of the operators it is said as well which ones `check` marks before any export.
A goal whose tools are not installed is left out, and said to be.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import goal_programs
import packages
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.worker import goals
from exportdb_rules.engine import Project, Settings, check
from exportdb_rules.finding import Mode
from exportdb_rules.rule import registry
from exportdb_rules.unsupported_operator import UnsupportedOperator
from goal_programs import Program

SCRIPT = Path(__file__).with_name("plain_goal.py")
SECONDS = 300.0


class Judged(NamedTuple):
    """What both say of one program and goal."""

    goal: str
    kind: str
    name: str
    plain: str
    ours: str
    message: str
    line: int | None
    """The marked one, of ours."""
    expected: int | None
    """The line that must be marked; None where it is not known which."""
    noticed: bool = False
    """`check` says that the tool does not support an operator of it, before any export."""

    @property
    def right(self) -> bool:
        """The verdict is that of the plain script."""
        return self.ours == self.plain


class Plain:
    """The plain script of one goal, in a process that is started again when a program has ended it."""

    def __init__(self, goal: str) -> None:
        self._goal = goal
        self._running: subprocess.Popen[str] | None = None

    def verdict(self, path: Path) -> str:
        """What it says of a program."""
        if self._running is None:
            # What a goal's tools print at exit is nobody's business.
            command = [sys.executable, str(SCRIPT), self._goal]
            pipe = subprocess.PIPE
            self._running = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, bufsize=1
            )
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        self._running.stdin.write(f"{path}\n")
        answer = self._running.stdout.readline()
        if not answer:
            self.close()
            return "crash"
        return json.loads(answer)

    def close(self) -> None:
        """Ends it."""
        if self._running is not None:
            self._running.communicate()
            self._running = None


def judged(confirmer: Confirmer, plain: Plain, goal: str, program: Program) -> Judged:
    """One program by both."""
    said = plain.verdict(program.path)
    request = ExportRequest(
        str(program.path),
        name="model",
        modes=(Mode.NON_STRICT,),
        goals=(goal,),
        root=program.path.parent,
        timeout=SECONDS,
        draft=False,
        findings=False,
    )
    (result,) = confirmer.run(request)
    rows = [
        row
        for row, text in enumerate(program.path.read_text("utf-8").splitlines(), 1)
        if text.endswith(goal_programs.MARK)
    ]
    known = rows and said != "ok" and (program.kind != "operators" or said == "fails")
    return Judged(
        goal,
        program.kind,
        program.name,
        said,
        result.outcome.value,
        result.message.split("\n")[0][:300],
        result.frame.row if result.frame else None,
        rows[0] if known else None,
    )


def noticed(program: Program, goal: str) -> bool:
    """Whether `check` marks an operator of a program as one that the goal's tool does not support."""
    rules = {rule.code for rule in registry() if isinstance(rule, UnsupportedOperator)}
    project = Project()
    project.set_text(str(program.path), program.path.read_text("utf-8"))
    return any(finding.code in rules for finding in check(project, str(program.path), Settings(to=(goal,))).findings)


def chosen(programs: Iterable[Program], limit: int) -> list[Program]:
    """So many of each kind (0: all), drawn with a fixed seed. One of each kind in turn: what a run that is stopped early
    has asked is of all kinds."""
    kinds: dict[str, list[Program]] = {}
    for program in programs:
        kinds.setdefault(program.kind, []).append(program)
    drawn = [random.Random(0).sample(of, len(of))[: limit or None] for of in kinds.values()]
    return [program for row in itertools.zip_longest(*drawn) for program in row if program is not None]


def measured(options: argparse.Namespace, goal: str, programs: list[Program]) -> Iterator[Judged]:
    """What both say of the programs, for one goal; those that an earlier run has kept are not asked again."""
    began = time.monotonic()
    kept: dict[tuple[str, str, str], Judged] = {}
    if options.keep and options.keep.is_file():
        rows = [Judged(*json.loads(line)) for line in options.keep.read_text("utf-8").splitlines()]
        kept = {row[:3]: row for row in rows}
    confirmer, plain = Confirmer(), Plain(goal)
    try:
        for program in programs:
            row = kept.get((goal, program.kind, program.name))
            if row is None:
                if options.seconds and time.monotonic() - began > options.seconds:
                    continue
                row = judged(confirmer, plain, goal, program)
                if options.keep:
                    with options.keep.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
            yield row._replace(noticed=noticed(program, goal))
    finally:
        plain.close()
        confirmer.close()


def missing(goal: str) -> str:
    """What of a goal's tools is not installed here, or cannot be used."""
    import torch as torch

    return ", ".join(goals.missing(goal)) or goals.missing_compiler(goal) or goals.unusable(goal)


def table(goal: str, rows: list[Judged], asked: int, verbose: bool) -> str:
    """Prints the verdicts of a goal by kind, and those that differ; the figures, in a sentence."""
    for kind in dict.fromkeys(row.kind for row in rows):
        of_kind = [row for row in rows if row.kind == kind]
        said, right = Counter(row.plain for row in of_kind), Counter(row.plain for row in of_kind if row.right)
        print(
            f"{goal}, {kind}: "
            + ", ".join(f"{verdict} {right[verdict]} of {said[verdict]}" for verdict in sorted(said))
        )
        for row in of_kind:
            if verbose or not row.right:
                print(f"  {row.name}: {row.plain}; export --to {goal}: {row.ours}, {row.message}")
            if row.expected is not None and row.line != row.expected:
                print(f"  {row.name}: line {row.line}, not {row.expected}: {row.message}")
    if len(rows) < asked:
        print(f"{goal}: {asked - len(rows)} of {asked} programs not asked: the time was up")
    marked = [row for row in rows if row.expected is not None]
    lines = {
        kind: [row.line == row.expected for row in marked if (row.kind == "operators") is kind]
        for kind in (True, False)
    }
    operators = [row for row in rows if row.kind == "operators"]
    failing, others = ([row.noticed for row in operators if (row.plain == "fails") is fails] for fails in (True, False))
    return (
        f"{goal}: {sum(row.right for row in rows)} of {len(rows)} verdicts as a plain script, the right line for "
        f"{sum(lines[True])} of {len(lines[True])} operators and {sum(lines[False])} of {len(lines[False])} dimensions; "
        f"check marks {sum(failing)} of {len(failing)} operators that fail, {sum(others)} of {len(others)} that do not"
    )


def main() -> None:
    """Print a table for each goal, then one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--goal", action="append", choices=goals.GOALS, help="only this; may be given more than once")
    parser.add_argument("--limit", type=int, default=0, help="so many programs of each kind, drawn with a fixed seed")
    parser.add_argument("--keep", type=Path, help="a file of results: what is in it is not asked again")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so long; with --keep, to go on later")
    parser.add_argument("--packages", type=Path, help="where the packages are, or shall be installed")
    parser.add_argument("--verbose", action="store_true", help="every program")
    options = parser.parse_args()
    told: list[str] = []
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as temporary:
        directory = options.packages or Path(temporary)
        packages.install(directory, goal_programs.REQUIREMENTS)
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path(folder) / "inductor")
        (Path(folder) / "programs").mkdir()
        programs = chosen(goal_programs.written(Path(folder) / "programs", directory), options.limit)
        for goal in options.goal or goals.GOALS:
            lacking = missing(goal)
            if lacking:
                told.append(f"{goal}: not run, {lacking} is missing")
                continue
            told.append(table(goal, [*measured(options, goal, programs)], len(programs), options.verbose))
    print("; ".join(told))


if __name__ == "__main__":
    main()
