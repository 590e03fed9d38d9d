"""What terminals, loggers and hosts of CI put around a text, taken away."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

_ANSI: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])|\x1b_bk;t=\d+\x07")
# What may stand before a line, one after the other. None may take the indentation of what follows.
_PREFIXES: Final = (
    # `gh run view --log`: job and step before the time.
    re.compile(r"[^\t\n]*\t[^\t\n]*\t(?=\ufeff?\d{4}-\d\d-\d\dT)"),
    # GitHub Actions, GitLab (`00O`), docker and the loggers of Python.
    re.compile(r"\ufeff?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?(?: \d\d[OE][ +]| |$)"),
    # The loggers of torch: `V1122 21:34:12.025000 2973 torch/fx/x.py:7416] [0/0] `.
    re.compile(r"(?:\[rank\d+\]:)?[VDIWEC]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ [^\s\]]+:\d+\](?: \[[^\]\s]*\])*(?: |$)"),
    re.compile(r"\[rank\d+\]:(?: |$)"),
    # Docker Compose, and exception groups of Python.
    re.compile(r"[\w.-]+ +\| (?=\S| {2,}|$)| {2,}[|+] (?=\S| {2,}|$)"),
    re.compile(r"(?:\[(?:DEBUG|INFO|WARNING|ERROR)\]|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)(?: {1,2}-)?)(?:[ :]\S*:\d+)? (?=Traceback|  File)"),
    re.compile(r"##\[(?:error|warning|debug)\]"),
)  # fmt: skip
# A mail or an issue that quotes a whole log; pytest marks single lines in the same way.
_QUOTED: Final = re.compile(r"> ?")
_HTML: Final = re.compile(r"<(?:!DOCTYPE html|html|pre|body)\b", re.IGNORECASE)


class _Text(HTMLParser):
    """The text of a page, without its scripts and styles; what stands in different cells stands on different lines."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style"):
            self._hidden += 1
        elif tag in ("pre", "td", "tr", "p", "li", "div", "br", "h1", "h2", "h3"):
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        if self._hidden <= 0:
            self.parts.append(data)


def plain_lines(text: str) -> list[str]:
    """The lines of a log as the program wrote them: without colours, times, levels, ranks, quotation marks and HTML."""
    if _HTML.search(text[:4000]):
        reader = _Text()
        reader.feed(text)
        reader.close()
        text = "".join(reader.parts)
    text = _ANSI.sub("", text)
    lines = [_bare(line) for line in re.split(r"\r\n|\n|\r", text)]
    if all(line.startswith(">") for line in lines if line.strip()):
        lines = [_bare(_QUOTED.sub("", line, count=1)) for line in lines]
    return lines


def _bare(line: str) -> str:
    for _ in range(len(_PREFIXES)):
        match = next((m for prefix in _PREFIXES if (m := prefix.match(line)) and m.end()), None)
        if match is None:
            break
        line = line[match.end() :]
    return line
