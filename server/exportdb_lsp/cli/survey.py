"""`exportdb-lsp survey`: export every module class of a package, and say how ready it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.markup import escape

from exportdb_lsp import __version__
from exportdb_lsp.cli.export import COLOURS, goals_option, memory, progress, python_option, timeout_option, write_file
from exportdb_lsp.cli.program import CannotTry, tell_withheld
from exportdb_lsp.confirm.confirmer import RequestError
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.files.names import problem_line
from exportdb_lsp.interpreter import find_interpreter, site_packages, torch_version, typed
from exportdb_lsp.settings import for_path, project_root
from exportdb_lsp.survey.cluster import ClusterError, survey_on
from exportdb_lsp.survey.rows import RowsError, RowsFile
from exportdb_lsp.survey.summary import Surveyed, by_class, summary
from exportdb_lsp.survey.surveying import left_to_do, plan, survey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_lsp.survey.rows import Row
    from exportdb_lsp.survey.summary import Summary

MAX_JOBS = 64


@click.command("survey", short_help="Export every module class of a package or folder.")
@click.argument("target", metavar="PACKAGE|FOLDER")
@goals_option
@python_option
@timeout_option
@click.option("--memory-limit", callback=memory, metavar="M", help="Memory limit per export.  [default: 4GiB]")
@click.option("--jobs", type=click.IntRange(1, MAX_JOBS), default=1, show_default=True, help="Exports at a time.")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Export on the workers of this Dask cluster (tcp://HOST:PORT) instead of here.",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="JSON Lines file that the results are added to; a survey that was interrupted resumes from it.",
)
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write an HTML page.")
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output format."
)
def survey_command(
    target: str,
    goals: tuple[str, ...],
    interpreter: str | None,
    timeout: float | None,
    memory_limit: int | None,
    jobs: int,
    scheduler: str | None,
    results: Path | None,
    html: Path | None,
    output_format: str,
) -> None:
    """Export every module class of PACKAGE, which is installed in the project's interpreter, or below FOLDER.

    Each class that can be built with declared or inferred inputs is exported in both modes, and with Dim.AUTO for every
    size, and each exported program is compared with eager. The output has every line on which an export
    fails, with the rule by which check reports it, if there is one. With --to, each class that ran is taken on to these goals too. Each export runs in a separate process with limits of time and memory.

    With --scheduler, the workers of a Dask cluster export the classes (extra [cluster]). They need the same sources, interpreter
    and version of this program at the same paths; the classes of a worker that is lost are exported again.

    With --results, an interrupted survey resumes where it was, as long as the sources, torch and this program are the same.

    Exit status: 0 the survey is complete, 2 it could not be made.

    \b
    Examples:
      exportdb-lsp survey src/
      exportdb-lsp survey vit_pytorch --results vit.jsonl --html vit.html
      exportdb-lsp survey vit_pytorch --scheduler tcp://10.0.0.1:8786 --results vit.jsonl
    """
    if scheduler is not None and jobs > 1:
        raise click.UsageError("--jobs and --scheduler cannot be combined: a cluster has the jobs of its workers.")
    path = Path(target).absolute()
    settings, _ = for_path(path)
    tell_withheld(settings, interpreter)
    python = find_interpreter(typed(interpreter) or settings.interpreter, project_root(path))
    torch = torch_version(python)
    if torch is None:
        raise CannotTry(f"{python}: torch is not installed; choose another interpreter with --python")
    folder = path if path.is_dir() else _package(target, python)
    planned = plan(folder, torch)
    for problem in planned.problems:
        click.echo(problem_line(problem), err=True)
    if not planned.subjects:
        raise CannotTry(f"{folder}: no module class")
    request = ExportRequest(
        filename=str(folder),
        goals=goals or settings.to,
        interpreter=python,
        root=project_root(path) if path.is_dir() else folder,
        timeout=timeout or settings.timeout,
        memory_limit=memory_limit or settings.memory_limit,
    )
    try:
        kept = RowsFile(results, planned.basis) if results is not None else None
        rows = list(kept.rows) if kept is not None else []
        with progress() as tell:
            done = len(planned.subjects) - len(left_to_do(planned, rows, request.goals))
            exporting = (
                survey(planned, request, rows, jobs=jobs)
                if scheduler is None
                else survey_on(scheduler, planned, request, rows)
            )
            for more in exporting:
                done += 1
                tell(f"{done} of {len(planned.subjects)} classes, last: {more[0].target}")
                rows += more
                if kept is not None:
                    kept.add(more)
        classes = by_class(rows)
        if html is not None:
            write_file(html, _page(target, torch, classes).encode())
    except (RowsError, RequestError, ClusterError) as error:
        raise CannotTry(str(error)) from error
    except OSError as error:
        raise CannotTry(f"{error.filename or results}: {error.strerror}") from error
    if output_format == "json":
        click.echo(json.dumps(_to_json(target, torch, classes), indent=2))
    else:
        _show(classes, Console(highlight=False, soft_wrap=True))


def _package(name: str, python: str) -> Path:
    """The folder of an installed package. It is found by name: nothing is imported.

    Raises:
        CannotTry: there is none.
    """
    if name.isidentifier():
        for folder in site_packages(python):
            if (folder / name / "__init__.py").is_file():
                return folder / name
    raise CannotTry(f"{name}: no such folder, and no such package in {python}")


def _page(target: str, torch: str, classes: Sequence[Surveyed]) -> str:
    from exportdb_rules.rule import registry

    from exportdb_lsp.survey.page import page

    names = {rule.code: rule.name for rule in registry()}
    return page(target, f"torch {torch}, exportdb-lsp {__version__}", classes, names)


def _to_json(target: str, torch: str, classes: Sequence[Surveyed]) -> object:
    def row(one: Row) -> dict[str, object]:
        return {key: value for key, value in one.to_json().items() if key not in ("filename", "name", "row", "basis")}

    return {
        "target": target,
        "torch": torch,
        "summary": summary(classes).to_json(),
        "classes": [
            {
                "filename": one.filename,
                "name": one.name,
                "row": one.row,
                "exports": [row(kept) for kept in one.rows.values()],
            }
            for one in classes
        ],
    }


def _show(classes: Sequence[Surveyed], console: Console) -> None:
    for one in classes:
        verdicts = ", ".join(
            f"{setting.value} [{COLOURS.get(row.outcome, 'red')}]{row.outcome.value}[/]"
            for setting, row in one.rows.items()
        )
        console.print(f"{escape(one.place)}: [bold]{escape(one.name)}[/]: {verdicts}")
        first = next(iter(one.rows.values()))
        if first.outcome.untried:
            console.print("    " + escape(first.message.partition("\n")[0]))
        for line in one.lines:
            rule = line.rule or "not reported by check"
            console.print(f"    {escape(line.place)}: {rule}: {escape(line.code)}")
        for row in one.rows.values():
            for line in row.fixed:
                console.print(f"    {escape(line.place)}: specializes {escape(line.message)}: {escape(line.code)}")
    console.print(_summary(summary(classes)))


def _summary(total: Summary) -> str:
    lines = [f"{total.classes} classes, {total.built} of them ran in eager"]
    for setting, outcomes in total.outcomes.items():
        counts = ", ".join(f"{count} {outcome.value}" for outcome, count in outcomes.items())
        lines.append(f"{setting.value}: {counts or 'not tried'}")
    lines.append(f"exports fail on {total.lines} lines; check reports {total.found} of them")
    lines.append(f"{total.whole} classes keep every size dynamic under Dim.AUTO")
    return "\n".join(lines)
