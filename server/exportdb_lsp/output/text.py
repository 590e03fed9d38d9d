"""Findings for people: in colour on a terminal, plain in a pipe."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, TextIO

from exportdb_rules.finding import Applicability, Severity, Verdict

from exportdb_lsp.checking.results import cell_name
from exportdb_lsp.files.names import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from exportdb_rules.finding import Finding

    from exportdb_lsp.checking.results import CheckedFinding

    Piece = tuple[str, str]

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.INFORMATION: "bold blue"}
_CONSEQUENCES = {
    Verdict.FAILS: "fails",
    Verdict.DIVERGES: "exports, but computes something else",
    Verdict.SPECIALIZES: "specializes a dimension",
    Verdict.OK: "ok",
}
# What a finding's words may not do: a line of a file is shown as it is, but never drives the terminal.
_CONTROL = dict.fromkeys([*range(9), *range(11, 32), 127, *range(128, 160)], "�")


class Printer:
    """Writes styled pieces. Colour is for terminals only, and never where NO_COLOR is set."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._console = None
        if (out.isatty() or os.environ.get("FORCE_COLOR")) and not os.environ.get("NO_COLOR"):
            # rich takes 80 ms to import, so a pipe does without.
            from rich.console import Console

            self._console = Console(file=out, highlight=False, soft_wrap=True, force_terminal=True)

    @property
    def coloured(self) -> bool:
        """Whether this writes to a terminal that may show colour."""
        return self._console is not None

    def line(self, *pieces: str | Piece) -> None:
        """Write one line: texts, and pairs of a text and its style."""
        pairs = [(piece, "") if isinstance(piece, str) else piece for piece in pieces]
        if self._console is None:
            text = "".join(text for text, _ in pairs).translate(_CONTROL)
            encoding = self._out.encoding or "utf-8"
            self._out.write(text.encode(encoding, "replace").decode(encoding) + "\n")
        else:
            from rich.text import Text

            self._console.print(Text.assemble(*[(text.translate(_CONTROL), style) for text, style in pairs]))


def write(found: Sequence[CheckedFinding], line: Callable[[str, int], str], printer: Printer) -> None:
    """Every finding with its place, its line and what export does there. `line` gives a line by file and row."""
    for item in found:
        finding = item.finding
        start, end = finding.span.start, finding.span.end
        style = _STYLES.get(item.severity, "bold cyan")
        fixable = _fixable(item)
        printer.line(
            (cell_name(shown(finding.filename), item.cell), "bold"), f":{start.row}:{start.column}: ", (finding.code, style), " ",
            ((f"{fixable} ", "cyan") if fixable else ""), finding.message,
        )  # fmt: skip
        source = line(item.place, start.row)
        number = str(start.row)
        margin = " " * len(number)
        body = source.expandtabs(1)
        width = (end.column if end.row == start.row else len(body) + 1) - start.column
        printer.line((f"{margin} |", "blue"))
        printer.line((f"{number} | ", "blue"), body)
        printer.line((f"{margin} | ", "blue"), " " * (start.column - 1), ("^" * max(width, 1), style))
        for related in finding.related:
            place = f"{shown(related.filename)}:{related.span.start.row}:{related.span.start.column}"
            printer.line((f"{margin} = ", "blue"), ("see: ", "bold"), f"{place}: {related.message}")
        printer.line((f"{margin} = ", "blue"), (f"{_label(finding)}: ", "bold"), _verdict(finding))
        if item.confirmation is not None:
            for words in (item.confirmation.note, *item.confirmation.words):
                printer.line((f"{margin} = ", "blue"), ("last export: ", "bold"), words)
        if item.fix is not None:
            caution = f" ({item.fix.caution})" if item.fix.caution else ""
            printer.line((f"{margin} = ", "blue"), ("fix: ", "bold"), item.fix.title + caution)
        elif item.no_fix is not None:
            printer.line((f"{margin} = ", "blue"), ("no fix: ", "bold"), item.no_fix.text)
        printer.line()


def write_summary(found: Sequence[CheckedFinding], files: int, applied: int, printer: Printer) -> None:
    """One or two closing lines: how much was found, and how much of it can be fixed."""
    if applied:
        printer.line((f"{applied} fixed.", "green"))
    if not found:
        printer.line((f"No problems found in {counted(files, 'file')}.", "green"))
        return
    printer.line((f"Found {counted(len(found), 'problem')} in {counted(files, 'file')}.", "bold"))
    safe = sum(item.fix is not None and item.fix.applicability is Applicability.SAFE for item in found)
    unsafe = sum(item.fix is not None and item.fix.applicability is Applicability.UNSAFE for item in found)
    if safe:
        printer.line(f"[*] {safe} can be fixed with --fix.")
    if unsafe:
        printer.line(f"[~] {unsafe} can be fixed with --fix --unsafe-fixes; preview with --diff.")


def write_statistics(found: Sequence[CheckedFinding], printer: Printer) -> None:
    """How often each rule was broken, the most frequent first."""
    counts = Counter((item.finding.code, item.finding.name) for item in found)
    for (code, name), number in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
        mendable = any(item.fix is not None for item in found if item.finding.code == code)
        printer.line(f"{number:>6}  ", (code, "bold red"), f"  [{'*' if mendable else ' '}] {name}")


def _fixable(item: CheckedFinding) -> str:
    if item.fix is None:
        return ""
    return "[*]" if item.fix.applicability is Applicability.SAFE else "[~]"


def _label(finding: Finding) -> str:
    return f"export --to {finding.goal}" if finding.goal else "export"


def _verdict(finding: Finding) -> str:
    parts = [f"{mode.value} {_CONSEQUENCES[verdict]}" for mode, verdict in finding.verdict.items()]
    reached = f"; reached from {finding.entry}" if finding.entry else ""
    return "; ".join(parts) + f" ({finding.confidence.value}{reached})"


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
