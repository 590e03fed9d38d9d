"""What the commands of `exportdb-lsp cases` share: the collection or one clear error, and words in their colours."""

from __future__ import annotations

import difflib
import io
import sys
from typing import TYPE_CHECKING, Final, cast

import click

from exportdb_lsp.cli.program import CannotTry

if TYPE_CHECKING:
    from exportdb_cases.collection import Case
    from exportdb_cases.support_file import Record, SupportFile

MODES: Final = ("non-strict", "strict")
VERDICTS: Final = ("ok", "specializes", "diverges", "fails")
NONE: Final = "-"
_COLOURS: Final = {"ok": "green", "specializes": "yellow", "diverges": "magenta", "fails": "red", NONE: "bright_black"}


def collection() -> tuple[Case, ...]:
    """Every case; a file that is none ends the command with its name."""
    from exportdb_cases.collection import CaseError, all_cases

    try:
        return all_cases()
    except CaseError as error:
        raise CannotTry(str(error)) from error


def named(name: str) -> Case:
    """The case of this name; one that is none ends the command, with what was perhaps meant."""
    known = {case.name: case for case in collection()}
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f": did you mean {near[0]}?" if near else "; `exportdb-lsp cases list` has them all"
        raise click.UsageError(f"no case {name!r}{hint}")
    return known[name]


def completed(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The names of cases that begin so, for a shell."""
    return [case.name for case in collection() if case.name.startswith(incomplete)]


def coloured(word: str, width: int) -> str:
    """A verdict in its colour, filled up to `width`."""
    filled = f"{word:<{width}}"
    return click.style(filled, fg=_COLOURS[word]) if word in _COLOURS else filled


def linked(text: str, url: str) -> str:
    """A text with its page: as a link on a terminal, else with the address behind it."""
    if not sys.stdout.isatty():
        return f"{text} {url}"
    # rich takes 80 ms to import, so a pipe does without.
    from rich.console import Console
    from rich.text import Text

    console = Console(file=io.StringIO(), force_terminal=True, legacy_windows=False)
    console.print(Text(text, style=f"link {url}"), end="")
    return cast("io.StringIO", console.file).getvalue()


def reason(record: Record) -> str:
    """Why a record is not ok, in one line."""
    if record.exception is None:
        return record.message or record.error or ""
    place = f"line {record.line}: " if record.line else ""
    return f"{place}{record.exception.rsplit('.', 1)[-1]}: {record.message or ''}"


def changes(before: SupportFile, after: SupportFile) -> list[tuple[str, str, str, str]]:
    """Case, mode, verdict before, verdict after: where the two files differ."""
    found: list[tuple[str, str, str, str]] = []
    for case in sorted(set(before.records) | set(after.records)):
        for mode in MODES:
            old, new = (file.records.get(case, {}).get(mode) for file in (before, after))
            was, now = ((record.verdict if record else None) or NONE for record in (old, new))
            if was != now:
                found.append((case, mode, was, now))
    return found
