"""`exportdb-lsp explain`: what an error of torch.export means, of which somebody has the text."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from exportdb_rules.disk import read_bytes

from exportdb_lsp.cli.program import CannotTry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_lsp.explain.explaining import Explanation

# In bytes; logs of CI are long.
LONGEST_LOG: Final = 64 * 1024 * 1024


@click.command(short_help="Explain a torch.export error: rule, source line, cause, fix.")
@click.argument("files", nargs=-1, type=click.Path(allow_dash=True), metavar="[FILE…|-]")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Project that raised the error; paths from another machine are resolved in it.  [default: .]",
)
@click.option(
    "--python",
    "interpreter",
    type=click.Path(),
    metavar="INTERPRETER",
    help="Python interpreter with your packages; it is not started.  [default: the project's]",
)
@click.option("-v", "--verbose", is_flag=True, help="Also print torch's message.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output format.",
)
def explain(
    files: tuple[str, ...], folder: Path | None, interpreter: str | None, verbose: bool, output_format: str
) -> None:
    """Explain torch.export errors from their text: rule, source line, cause, fix.

    FILE (default: `-`, stdin) is a traceback, TORCH_LOGS output, a draft_export report, a tlparse page, pytest output or a
    CI log with its line prefixes. No code runs. Your source files are read if they exist, and the line is checked as by
    `check`.

    Exit status: 0 an error was explained, 2 the text contains no torch.export error or cannot be read.

    \b
    Examples:
      python train.py 2>&1 | exportdb-lsp explain
      exportdb-lsp explain ci.log --folder ~/src/net
      exportdb-lsp explain --output-format json < traceback.txt
    """
    from exportdb_lsp.explain.explaining import explain as explain_text
    from exportdb_lsp.interpreter import find_interpreter, typed
    from exportdb_lsp.settings import project_root

    place = (folder or Path.cwd()).absolute()
    python = find_interpreter(typed(interpreter), project_root(place))
    found: list[Explanation] = []
    for name in files or ("-",):
        found += explain_text(_text(name), place, python)
    if output_format == "json":
        click.echo(json.dumps([explanation.to_json() for explanation in found], indent=2))
    else:
        _show(found, verbose)
    if not found:
        raise CannotTry("no torch.export error found in the text; include the error message and the traceback above it")


def _text(name: str) -> str:
    try:
        data = sys.stdin.buffer.read(LONGEST_LOG + 1) if name == "-" else read_bytes(name, LONGEST_LOG)
    except OSError as error:
        raise CannotTry(f"{name}: cannot be read: {error.strerror or error}") from error
    if len(data) > LONGEST_LOG:
        raise CannotTry(f"{name}: longer than {LONGEST_LOG // 1024**2} MiB")
    return data.decode("utf-8", "replace")


def _show(found: Sequence[Explanation], verbose: bool) -> None:
    from rich.console import Console

    from exportdb_lsp.cli.export import show

    results = [replace(e.result, target=e.result.target or "export") for e in found]
    show(results, Console(highlight=False, soft_wrap=True), verbose=verbose)
