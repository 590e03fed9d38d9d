"""What torch writes into the text of an error: stacks, the id of a graph break, hints, suggested sizes.

Only text is read here, so that a live exception and one that somebody pasted are read alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeVar

F = TypeVar("F")

_GRAPH_BREAK = re.compile(r"\bGB\d{4}\b", re.IGNORECASE)
_CASE_LINK = re.compile(r"exportdb/(?:index\.html#|[\w/]*?#?)([a-z0-9][a-z0-9-]+)")
_SUGGESTED = re.compile(r"^\s{2,}([A-Za-z_]\w*) = (\S.*)$", re.MULTILINE)
# Up to here torch's text is about the failure; what follows is advice on export() itself.
_ADVICE = re.compile(r"\n+The error above occurred when calling torch\.export\.export\..*", re.DOTALL)
# `File "x.py", line 3, in forward`: in torch's messages, in the stack traces that graph nodes carry, in faulthandler's;
# `File x.py, lineno 3, in forward` in the reports of draft_export.
_WRITTEN = re.compile(r'File (?:"([^"\n]+)", line|(?<!")([^"\n,]+), lineno) (\d+)(?:,? in ([^\n,]+))?')

# torch prints the line under these words in messages whose traceback stops inside of torch.
STACK_MARKS = ("from user code:", "The following call raised this error:", "Original traceback:", "User Stack")


def about_the_failure(text: str) -> str:
    """The text without the advice on `export()` that torch puts at its end."""
    return _ADVICE.sub("", text).strip()


def stacks(raised: list[list[F]], real: list[list[F]], strict: bool) -> list[list[F]]:
    """The user's stacks that tell the failing line, the best first, of an error and those that it was raised from.

    `raised` are the stacks of the tracebacks, `real` those that Dynamo keeps: non-strict export runs the user's code, so
    the traceback goes through it; strict export interprets it.
    """
    if raised and real and not strict:
        # torch.cond hands its branches to Dynamo in non-strict too: the traceback ends at the call, the stack within.
        raised = [raised[0] + [frame for frame in real[0] if frame not in raised[0]]]
    return real[:1] + raised[:1] if strict else raised[:1] + real[:1]


def written(text: str) -> Iterator[tuple[str, int, str]]:
    """The frames of the stacks that are printed in a text, in its order: file, row, function."""
    for match in _WRITTEN.finditer(text):
        yield match[1] or match[2], int(match[3]), (match[4] or "").strip()


def graph_break(text: str, known: dict[str, Any]) -> Any:
    """The id of the graph break that a text is about and the newest entry of torch's registry for it; or None.

    `known` is that registry. A torch that prints no id is recognised by the name that stands in the first lines.
    """
    match = _GRAPH_BREAK.search(text)
    if match:
        name = match[0].upper()
        entries: list[dict[str, Any]] = known.get(name) or [{}]
        return name, entries[-1]
    lines = {line.strip() for line in text.splitlines()[:12]}
    for name, entries in known.items():
        if entries and entries[-1].get("Gb_type", "").strip() in lines:
            return name, entries[-1]
    return None


def hints(entry: dict[str, Any], text: str) -> list[str]:
    """What torch advises: in the text, else in the registry's entry for the graph break."""
    stated = re.findall(r"^\s*Hint: (.+)$", text, re.MULTILINE)
    numbered = []
    if "To fix the error, insert one of the following checks" in text:
        numbered = re.findall(r"^\s*\d+\. (torch\._check.+)$", text, re.MULTILINE)
    found = [*stated, *numbered] or [str(hint) for hint in entry.get("Hints", [])]
    return list(dict.fromkeys(hint.strip() for hint in found))


def linked_case(text: str) -> str | None:
    """The case of ExportDB that a text links to."""
    match = _CASE_LINK.search(text)
    return match[1].replace("-", "_") if match else None


def suggested(text: str) -> dict[str, str]:
    """The Dims that torch suggests: name and declaration."""
    _, found, after = text.partition("Suggested fixes:")
    if not found:
        return {}
    fixes: dict[str, str] = {}
    for line in after.splitlines():
        match = _SUGGESTED.match(line)
        if match:
            fixes[match[1]] = match[2].strip()
        elif fixes and line.strip():
            break
    return fixes
