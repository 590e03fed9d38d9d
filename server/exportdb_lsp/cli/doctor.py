"""`exportdb-lsp doctor`: what is used, and what is wrong with it."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from exportdb_lsp import __version__

# Asked of the user's interpreter; prints one line of JSON.
QUESTION = """
import json, sys
answer = {"python": sys.version.split()[0]}
try:
    import torch
    answer["torch"] = torch.__version__
    answer["where"] = torch.__file__
    answer["export"] = hasattr(torch, "export")
except Exception as error:
    answer["error"] = f"{type(error).__name__}: {error}"
print(json.dumps(answer))
"""
OLDEST_TORCH = (2, 5)
PATIENCE = 120


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's report. `wrong` says that it must be mended before exports can work."""

    topic: str
    text: str
    wrong: bool = False


@click.command()
@click.option("--python", "interpreter", metavar="INTERPRETER", help="The Python to ask, instead of the one found.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def doctor(interpreter: str | None, output_format: str) -> None:
    """Say which Python and which torch are used here, and what is wrong with them.

    Starts the interpreter that models would be exported in and imports torch there. Exit status: 0 all is well, 2
    exports cannot work.
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


def examine(folder: Path, configured: str | None = None) -> list[Finding]:
    """Everything that the doctor looks at, for the project of a folder."""
    from exportdb_lsp import settings as schema
    from exportdb_lsp.interpreter import find_interpreter, torch_version

    root = schema.project_root(folder)
    settings, problems = schema.for_path(folder)
    python = find_interpreter(configured or settings.interpreter, root)
    findings = [
        Finding("exportdb-lsp", f"{__version__}, in {sys.executable} (Python {platform.python_version()})"),
        Finding("project", str(root)),
        *[Finding("settings", str(problem), wrong=True) for problem in problems],
        Finding("interpreter", python),
    ]
    found = settings.torch_version or torch_version(python)
    findings.append(Finding("verdicts", _verdicts_for(found)))
    answer = _ask(python)
    if isinstance(answer, str):
        findings.append(Finding("torch", answer, wrong=True))
    elif "error" in answer:
        hint = f"; install it with: {python} -m pip install torch" if "ModuleNotFound" in answer["error"] else ""
        findings.append(Finding("torch", f"cannot be imported in {python}: {answer['error']}{hint}", wrong=True))
    else:
        version = str(answer["torch"])
        old = _release(version) < OLDEST_TORCH
        note = ": too old, 2.5 is the oldest that is supported" if old else f", at {os.path.dirname(answer['where'])}"
        findings.append(Finding("torch", f"{version} (Python {answer['python']}){note}", wrong=old))
    return findings


def _verdicts_for(torch_version: str | None) -> str:
    from exportdb_rules import support
    from exportdb_rules.engine import Settings

    asked = torch_version or Settings().torch_version
    source = "no torch found without running the interpreter; the default" if torch_version is None else "torch"
    measured = ", ".join(support.versions()) or "none"
    return f"for {source} {asked}; measured: {measured}"


def _ask(python: str) -> dict[str, Any] | str:
    """The interpreter's answer, or why there is none."""
    try:
        done = subprocess.run(
            [python, "-c", QUESTION],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except OSError as error:
        return f"{python} cannot be started: {error.strerror}"
    except subprocess.TimeoutExpired:
        return f"{python} took more than {PATIENCE} s to import torch"
    lines = done.stdout.strip().splitlines()
    try:
        return json.loads(lines[-1])
    except (IndexError, ValueError):
        last = (done.stderr.strip().splitlines() or ["no output"])[-1]
        return f"{python} ended with status {done.returncode}: {last}"


def _release(version: str) -> tuple[int, int]:
    major, minor, *_ = [*version.split("."), "0"]
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else (0, 0)
