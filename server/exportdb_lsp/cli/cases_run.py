"""`exportdb-lsp cases run`: the cases are exported for real, and what happens is kept."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exportdb_lsp.cli.cases_shown import MODES, NONE, VERDICTS, changes, collection, coloured, completed, named, reason
from exportdb_lsp.cli.program import CannotTry
from exportdb_lsp.files.rewriting import replace_atomically
from exportdb_lsp.settings import MAX_SECONDS
from exportdb_lsp.worker.goals import GOALS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from exportdb_cases.collection import Case
    from exportdb_cases.support_file import SupportFile

    from exportdb_lsp.measure.run import MeasureRequest, Progress


@dataclass(frozen=True, slots=True)
class _Keeping:
    """Where what was measured goes: `target` as asked for, else the kept file if `keep`; nowhere if `only_check`."""

    target: str | None
    keep: bool
    whole: bool
    only_check: bool


@click.command("run")
@click.argument("names", nargs=-1, metavar="[NAME…]", shell_complete=completed)
@click.option(
    "--python",
    "interpreter",
    metavar="INTERPRETER",
    default=sys.executable,
    help="Measure the torch of this Python interpreter.  [default: the one that runs this program]",
)
@click.option(
    "--mode",
    type=click.Choice([*MODES, "both"]),
    default="both",
    show_default=True,
    help="Export mode.",
)
@click.option("--official", is_flag=True, help="Run only the ExportDB programs that ship with torch.")
@click.option("--fixed", is_flag=True, help="Measure the fixed programs instead of the cases.")
@click.option(
    "--to",
    "goal",
    type=click.Choice(list(GOALS)),
    help="Take the cases to this goal and record that instead; without NAMEs those that torch.export was not measured to "
    "export.",
)
@click.option(
    "--json",
    "target",
    type=click.Path(allow_dash=True),
    metavar="FILE|-",
    help="Write the records to this file, or to stdout.",
)
@click.option("--keep", is_flag=True, help="Update the committed records of the named cases.")
@click.option(
    "--check", "only_check", is_flag=True, help="Write nothing; exit 1 if a verdict differs from the committed record."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1, max=MAX_SECONDS),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Time limit per export, in seconds.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Parallel exports; 0 = one per core.",
)
def run(
    names: tuple[str, ...],
    interpreter: str,
    mode: str,
    official: bool,
    fixed: bool,
    goal: str | None,
    target: str | None,
    keep: bool,
    only_check: bool,
    timeout: float,
    jobs: int,
) -> None:
    """Export the cases and record their verdicts.

    A run of all cases in both modes is recorded in support/<torch version>.json; with --to, in the folder of the goal
    below it. A run of NAMEs is only printed; --keep records it.

    Exit status: 0 success, 1 a verdict differs (with --check), 2 the cases cannot run.
    """
    from exportdb_rules.finding import Mode

    from exportdb_lsp.measure.run import MeasureError, MeasureRequest

    if official and (fixed or names or goal):
        raise click.UsageError("--official runs the programs of torch and takes no other selection")
    if goal and fixed:
        raise click.UsageError("--to and --fixed cannot be combined")
    whole = not names and not official and mode == "both"
    chosen = {named(name).name for name in names}
    request = MeasureRequest(
        cases=() if official else tuple(case for case in collection() if case.name in chosen or not chosen),
        modes=tuple(Mode) if mode == "both" else (Mode(mode),),
        interpreter=interpreter,
        official=official or whole,
        timeout=timeout,
        jobs=jobs or os.cpu_count() or 1,
    )
    try:
        with _bar() as show:
            measured = _measured(request, fixed, goal, show)
    except MeasureError as error:
        raise CannotTry(str(error)) from error
    _keep(measured, _recorded_at(measured.torch, fixed, goal), _Keeping(target, keep, whole, only_check))


def _measured(request: MeasureRequest, fixed: bool, goal: str | None, show: Callable[[Progress], None]) -> SupportFile:
    from exportdb_lsp.interpreter import torch_version
    from exportdb_lsp.measure.fixed import measure_fixed
    from exportdb_lsp.measure.goal import measure_goal
    from exportdb_lsp.measure.run import MeasureError, measure

    if not fixed and goal is None:
        return measure(request, on_progress=show)
    installed = torch_version(request.interpreter)
    if installed is None:
        raise MeasureError(f"{request.interpreter} has no torch")
    version = installed.partition("+")[0]
    if goal is not None:
        # A named case is among the fewer than all that are asked for.
        whole = len(request.cases) == len(collection())
        asked = tuple(case for case in request.cases if not (whole and _exports(case, version)))
        return measure_goal(replace(request, cases=asked), goal, on_progress=show)
    return measure_fixed(request.cases, version, request, on_progress=show)


def _exports(case: Case, version: str) -> bool:
    """Whether nothing is ever found in a case: both modes export it, or it is about the call of export itself."""
    from exportdb_rules import verdict_table
    from exportdb_rules.finding import Mode, Verdict

    return case.family == "export_api" or all(
        verdict_table.verdict(case.name, version, mode) is Verdict.OK for mode in Mode
    )


def _recorded_at(version: str, fixed: bool, goal: str | None) -> Path:
    from exportdb_cases import support_file

    if goal is not None:
        return support_file.goal_path_for(goal, version)
    return (support_file.fixed_path_for if fixed else support_file.path_for)(version)


def _keep(measured: SupportFile, kept_at: Path, keeping: _Keeping) -> None:
    from exportdb_cases import support_file

    kept = support_file.read(kept_at) if kept_at.is_file() else None
    if keeping.target == "-":
        click.echo(measured.text(), nl=False)
    else:
        _print(measured)
    # A case that is new, or that was left out this time, contradicts nothing.
    differences = [found for found in (changes(kept, measured) if kept else []) if NONE not in found[2:]]
    for case, where, old, new in differences:
        click.echo(f"{case} {where}: recorded verdict {old}, measured {new}", err=True)
    if keeping.target and keeping.target != "-":
        _write(Path(keeping.target), measured.text())
    elif (keeping.whole or keeping.keep) and not keeping.target and not keeping.only_check:
        joined = measured if keeping.whole or kept is None else kept.updated(measured)
        kept_at.parent.mkdir(exist_ok=True)
        _write(kept_at, joined.text())
        click.echo(f"written: {kept_at}", err=True)
    if keeping.only_check and kept is None:
        raise CannotTry(f"torch {measured.torch} has no recorded verdicts: {kept_at.name} does not exist")
    if keeping.only_check and differences:
        sys.exit(1)


def _write(path: Path, text: str) -> None:
    try:
        replace_atomically(path, text.encode())
    except OSError as error:
        raise CannotTry(f"{path}: cannot be written: {error.strerror}") from error


@contextmanager
def _bar() -> Generator[Callable[[Progress], None]]:
    """How far a measurement is, on standard error of a terminal; silent elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("starting torch", total=None)
        yield lambda step: bar.update(
            task, completed=step.done, total=step.total, description=f"{step.case} {step.mode.value}"
        )


def _print(measured: SupportFile) -> None:
    counts: dict[str, int] = {}
    for case, modes in sorted(measured.records.items()):
        words = {mode: (modes[mode].verdict or NONE) if mode in modes else "" for mode in MODES}
        for word in filter(None, words.values()):
            counts[word] = counts.get(word, 0) + 1
        about = next((text for mode in MODES if mode in modes if (text := reason(modes[mode]))), "")
        click.echo(f"{case:<42} " + " ".join(coloured(words[mode], 11) for mode in MODES) + f" {about[:90]}".rstrip())
    total = ", ".join(f"{counts[word]} {word}" for word in (*VERDICTS, NONE) if word in counts)
    click.echo(f"torch {measured.torch}: {len(measured.records)} cases, {total}", err=True)
