"""The picture of the start page: what `check` really prints, drawn as SVG."""

from __future__ import annotations

from click.testing import CliRunner
from exportdb_cases.collection import find
from exportdb_lsp.cli.program import program
from rich.console import Console
from rich.text import Text


def files() -> dict[str, str]:
    """Path -> content."""
    case = find("tensor_if")
    assert case is not None
    # Colour is for terminals, and the runner is none.
    runner = CliRunner(env={"FORCE_COLOR": "1", "NO_COLOR": None})
    with runner.isolated_filesystem():
        with open("model.py", "w", encoding="utf-8") as file:
            file.write(case.source)
        checked = runner.invoke(program, ["check", "--no-cache", "model.py"], color=True).output
        changed = runner.invoke(
            program, ["check", "--no-cache", "--unsafe-fixes", "--diff", "model.py"], color=True
        ).output
    console = Console(record=True, width=110, file=open("/dev/null", "w", encoding="utf-8"), force_terminal=True)  # noqa: SIM115
    for command, printed in (("check model.py", checked), ("check --unsafe-fixes --diff model.py", changed)):
        console.print(Text(f"$ exportdb-lsp {command}", style="bold"))
        console.print(Text.from_ansi(printed))
    return {"assets/check.svg": console.export_svg(title="exportdb-lsp", unique_id="check")}
