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


@click.command(short_help="Explain an error of torch.export: rule, line, reason, fix.")
@click.argument("files", nargs=-1, type=click.Path(allow_dash=True), metavar="[FILE…|-]")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The project that the error is from; files of another machine are looked for in it.  [default: .]",
)
@click.option(
    "--python",
    "interpreter",
    type=click.Path(),
    metavar="INTERPRETER",
    help="The Python that has your packages; it is not started.  [default: the project's]",
)
@click.option("-v", "--verbose", is_flag=True, help="Also print torch's own text.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people, or for programs.",
)
def explain(
    files: tuple[str, ...], folder: Path | None, interpreter: str | None, verbose: bool, output_format: str
) -> None:
    """Explain errors of torch.export from their text: the rule, the line in your source, the reason, the fix.

    FILE (or `-`, standard input, which is also read without a FILE) is a traceback, the output of TORCH_LOGS, a report of
    draft_export, a page of tlparse, the output of pytest, or a log of CI with all that stands before its lines. Nothing is
    run. Your files are read, where they are found, and the line is checked as `check` does it.

    Exit status: 0 something was explained, 2 there is no error of torch.export in the text, or it cannot be read.

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
        raise CannotTry(
            "there is no error of torch.export in the text; it needs the error's message, and the stack above it"
        )


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
