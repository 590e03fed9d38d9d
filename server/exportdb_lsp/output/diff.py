"""Changes as a unified diff that `patch -p0` and `git apply -p0` take."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from exportdb_lsp.files.names import posix

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from exportdb_lsp.output.text import Printer

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def unified(filename: str, before: str, after: str) -> str:
    """The diff of one file; empty where nothing changed. Line ends are part of the lines, as patch wants them."""
    return "".join(_lines(filename, before, after))


def write(filename: str, before: str, after: str, out: TextIO, printer: Printer) -> None:
    """Write the diff of one file: in colour where the printer has colour, else to the letter."""
    if not printer.coloured:
        out.write(unified(filename, before, after))
        return
    for line in _lines(filename, before, after):
        printer.line((line.rstrip("\r\n"), "bold" if line.startswith(("+++", "---")) else _STYLES.get(line[0], "")))


def _lines(filename: str, before: str, after: str) -> Iterator[str]:
    name = posix(filename)
    # `str.splitlines` would cut at form feeds too, which patch does not.
    for line in difflib.unified_diff(_LINE.findall(before), _LINE.findall(after), name, name):
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
