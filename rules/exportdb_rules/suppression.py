"""Comments that silence findings: `# exportdb: ignore[…]`, `# exportdb: ignore-file`, `# noqa: EDB…`."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exportdb_rules.finding import Confidence, Finding, Mode, Position, Span, Verdict
from exportdb_rules.source import split_lines

if TYPE_CHECKING:
    from exportdb_rules.report import Settings

CODE = "EDB001"
NAME = "unused-suppression"

_COMMENT = re.compile(r"#\s*exportdb:\s*(ignore-file|ignore)(?:\[([^\]]*)\])?", re.IGNORECASE)
# What a text must hold before it is worth its tokens: a `noqa` for other tools is no business of ours.
_ANY = re.compile(r"#\s*exportdb:|#\s*noqa:[^\n]*\bEDB[0-9]", re.IGNORECASE)
_NOQA = re.compile(r"#\s*noqa:\s*([A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*)", re.IGNORECASE)


# Up to where somebody has got with it: the closing bracket may be missing still.
_LISTS = re.compile(r"#\s*exportdb:\s*ignore(?:-file)?\[([^\]]*)|#\s*noqa:([^#]*)", re.IGNORECASE)
_NAME = re.compile(r"[^\s,]+")


@dataclass(frozen=True, slots=True)
class Listing:
    """The list of rules in a comment: its span, and each name in it. `noqa` takes codes only."""

    span: Span
    names: tuple[tuple[str, Span], ...]
    codes_only: bool


@dataclass(slots=True)
class Suppression:
    """One comment. `codes` None silences everything; `file` silences the whole file."""

    row: int
    column: int
    length: int
    codes: tuple[str, ...] | None
    file: bool
    ours: bool
    used: bool = False

    def covers(self, finding: Finding) -> bool:
        """Whether it silences a finding: it stands on its first or last row, or is for the whole file."""
        if not self.file and self.row not in (finding.span.start.row, finding.span.end.row):
            return False
        return self.codes is None or any(code in (finding.code.lower(), finding.name) for code in self.codes)


def mentioned(text: str) -> bool:
    """Whether a text may have a comment for us."""
    # The pattern costs a hundred times what these two searches do, and hardly any text has such a comment.
    lowered = text.lower()
    return ("exportdb:" in lowered or "edb" in lowered) and _ANY.search(text) is not None


def parse(text: str) -> list[Suppression]:
    """The suppressions of a text, in order. Only real comments count, not text that looks like one in a string."""
    if not mentioned(text):
        return []
    found: list[Suppression] = []
    for row, column, comment in comments(text):
        match = _COMMENT.search(comment)
        if match is not None:
            listed = match.group(2)
            codes = None if listed is None else tuple([c.strip().lower() for c in listed.split(",") if c.strip()])
            file = match.group(1).lower() == "ignore-file"
            found.append(Suppression(row, column + match.start(), len(match.group()), codes, file, ours=True))
            continue
        match = _NOQA.search(comment)
        if match is not None:
            codes = tuple([c.lower() for c in re.split(r"[\s,]+", match.group(1)) if c.lower().startswith("edb")])
            if codes:
                found.append(
                    Suppression(row, column + match.start(), len(match.group()), codes, file=False, ours=False)
                )
    return found


def listing(text: str, row: int) -> Listing | None:
    """The list of rules in the comment of a row (from 1), complete or not; None where it has none."""
    lines = split_lines(text)
    if row > len(lines) or _LISTS.search(lines[row - 1]) is None:
        return None  # the tokens of a whole text cost a thousand times that
    for at, column, comment in comments(text):
        match = _LISTS.search(comment) if at == row else None
        if match is None:
            continue
        group = 1 if match[1] is not None else 2

        def span(start: int, end: int, first: int = column + match.start(group) + 1) -> Span:
            return Span(Position(row, first + start), Position(row, first + end))

        listed = match[group]
        names = tuple([(name[0], span(*name.span())) for name in _NAME.finditer(listed)])
        return Listing(span(0, len(listed)), names, codes_only=group == 2)
    return None


def comments(text: str) -> list[tuple[int, int, str]]:
    """Row (from 1), column (from 0) and text of every comment; of a broken text, those before the break."""
    found: list[tuple[int, int, str]] = []
    try:
        # The tokenizer takes a lone carriage return for no end of a line; the parser, whose rows findings have, does.
        for token in tokenize.generate_tokens(io.StringIO("\n".join(split_lines(text))).readline):
            if token.type == tokenize.COMMENT:
                found.append((token.start[0], token.start[1], token.string))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        pass
    return found


def apply(text: str, filename: str, findings: list[Finding], settings: Settings) -> list[Finding]:
    """The findings that are left, and one for each of our own comments that silenced nothing."""
    suppressions = parse(text)
    if not suppressions:
        return findings
    kept: list[Finding] = []
    for finding in findings:
        hits = [s for s in suppressions if s.covers(finding)]
        for suppression in hits:
            suppression.used = True
        if not hits:
            kept.append(finding)
    if not settings.selects(CODE, NAME):
        return kept
    for suppression in suppressions:
        if suppression.used or not suppression.ours:
            continue
        start = Position(suppression.row, suppression.column + 1)
        span = Span(start, Position(suppression.row, suppression.column + 1 + suppression.length))
        what = (
            ""
            if suppression.codes is None
            else f" of {', '.join(c.upper() if c.startswith('edb') else c for c in suppression.codes)}"
        )
        kept.append(
            Finding(
                code=CODE,
                name=NAME,
                message=f"Unused suppression{what}: no finding on this line",
                filename=filename,
                span=span,
                verdict=dict.fromkeys(settings.modes or (Mode.NON_STRICT,), Verdict.OK),
                confidence=Confidence.CERTAIN,
                entry="",
                fixable=True,
            )
        )
    return sorted(kept, key=lambda f: (f.span, f.code))
