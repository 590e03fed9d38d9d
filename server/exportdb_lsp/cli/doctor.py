"""`exportdb-lsp doctor`: what is used, and what is wrong with it."""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from exportdb_lsp import __version__
from exportdb_lsp.files.names import problem_line

OLDEST_TORCH: Final = "2.5"


@dataclass(frozen=True)
class ReportLine:
    """One line of the doctor's report. `wrong` says that it must be mended before exports can work."""

    topic: str
    text: str
    wrong: bool = False


@click.command()
@click.option(
    "--python",
    "interpreter",
    type=click.Path(),
    metavar="INTERPRETER",
    help="Python interpreter to inspect.  [default: the project's]",
)
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output format.",
)
def doctor(interpreter: str | None, output_format: str) -> None:
    """Report which Python, torch, worker and export tools are used here, and problems with them.

    The worker is started as for an export, which imports torch. No code of the project runs: a Python interpreter inside
    the project is started only if you name it, activated it, or trust the project (EXPORTDB_LSP_TRUSTED).

    Exit status: 0 no problems, 2 an invalid setting, or exports cannot work.
    """
    findings = examine(Path.cwd(), interpreter)
    if output_format == "json":
        objects = [{"topic": f.topic, "text": f.text, "wrong": f.wrong} for f in findings]
        click.echo(json.dumps(objects, indent=2))
    else:
        width = max(len(f.topic) for f in findings)
        for finding in findings:
            mark = click.style("✗", fg="red") if finding.wrong else click.style("✓", fg="green")
            click.echo(f"{mark} {finding.topic:<{width}}  {finding.text}")
    sys.exit(2 if any(finding.wrong for finding in findings) else 0)


def examine(folder: Path, configured: str | None = None) -> list[ReportLine]:
    """Everything that the doctor looks at, for the project of a folder."""
    from exportdb_lsp import settings as schema
    from exportdb_lsp.interpreter import find_interpreter, is_of_project, torch_version, typed
    from exportdb_lsp.trust import is_trusted

    root = schema.project_root(folder)
    settings, problems = schema.for_path(folder)
    named = typed(configured) or settings.interpreter
    python = find_interpreter(named, root)
    findings = [
        ReportLine("exportdb-lsp", f"{__version__}, in {sys.executable} (Python {platform.python_version()})"),
        ReportLine("project", str(root)),
        *[ReportLine("settings", problem_line(problem), wrong=True) for problem in problems],
        *[
            ReportLine("settings", problem_line(note))
            for note in settings.withheld
            if note.name != "interpreter" or not named
        ],
        ReportLine("interpreter", python),
    ]
    version = settings.torch_version or torch_version(python)
    findings.append(ReportLine("verdicts", _verdicts_for(version)))
    findings += tools(python)
    if not named and is_of_project(python, root) and not is_trusted(root):
        return [*findings, _not_started(python)]
    return [*findings, *_worker(python)]


def _not_started(python: str) -> ReportLine:
    from exportdb_lsp.trust import VARIABLE

    return ReportLine(
        "worker",
        f"not started, because the project is not trusted. To start it: --python {shlex.quote(python)}, "
        f"or trust the project with {VARIABLE}",
    )


def tools(python: str) -> list[ReportLine]:
    """What an interpreter has of what each goal of an export needs. It may well do without."""
    from exportdb_lsp.interpreter import package_version
    from exportdb_lsp.worker.goals import GOALS, compiler

    lines: list[ReportLine] = []
    for name, goal in GOALS.items():
        versions = {package: package_version(python, package) for package in goal.packages}
        there = [f"{package} {version}" for package, version in versions.items() if version]
        missing = " ".join(package for package, version in versions.items() if not version)
        wanted = [f"pip install {missing}"] if missing else []
        if goal.compiles:
            path = shutil.which(compiler())
            there += [path] if path else []
            wanted += [] if path else [f"install {compiler()}, or set CXX"]
        without = f"for --to {name}, {' and '.join(wanted)}" if wanted else ""
        lines.append(ReportLine(name, "; ".join(text for text in (", ".join(there), without) if text)))
    return lines


def _verdicts_for(torch_version: str | None) -> str:
    from exportdb_rules import verdict_table
    from exportdb_rules.engine import DEFAULT_TORCH

    measured = f"measured: {', '.join(verdict_table.versions()) or 'none'}"
    if torch_version is None:
        return f"for torch {DEFAULT_TORCH}, because torch was not found in that interpreter; {measured}"
    return f"for torch {torch_version}; {measured}"


def _worker(python: str) -> list[ReportLine]:
    """What comes of starting the worker in an interpreter."""
    from exportdb_rules import verdict_table

    from exportdb_lsp.confirm.worker_process import WorkerError, WorkerProcess

    try:
        # Not in the project's folder: an empty entry of PYTHONPATH would import its modules.
        worker = WorkerProcess(python, cwd=os.path.abspath(os.sep))
        ready = worker.start()
    except WorkerError as error:
        return [ReportLine("torch" if error.no_torch else "worker", str(error), wrong=True)]
    worker.close()
    if ready is None:
        return []  # only what closes it while it starts could be the reason
    old = verdict_table.release(ready.torch) < verdict_table.release(OLDEST_TORCH)
    note = f": not supported, the oldest supported version is {OLDEST_TORCH}" if old else f", at {ready.place}"
    way = "forked from it" if ready.fork else "of its own"
    return [
        ReportLine("torch", f"{ready.torch} (Python {ready.python}){note}", wrong=old),
        ReportLine("worker", f"starts in {ready.executable}; each export runs in a process {way}"),
    ]
