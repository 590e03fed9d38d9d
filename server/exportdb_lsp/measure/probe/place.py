"""Which line of the case an exception of torch.export is about."""

# pyright: basic
from __future__ import annotations

import re
from collections.abc import Iterator

_BREAK_ID = re.compile(r"\bGB\d{4}\b|gb(\d{4})\.html")


def failing_line(error: BaseException, path: str) -> int | None:
    """The innermost line of the file at `path`; None where torch does not tell (a ConstraintViolation).

    Non-strict runs the model's own Python, so the traceback has its frames. Strict reads the bytecode: the frames are
    those that Dynamo keeps in `real_stack`, or in words in the message.
    """
    for link in _chain(error):
        stack = getattr(link, "real_stack", None)
        rows = [frame.lineno for frame in stack or () if frame.filename == path]
        if rows:
            return rows[-1]
    for link in _chain(error):
        rows = re.findall(rf'File "{re.escape(path)}", line (\d+)', str(link))
        if rows:
            return int(rows[-1])
    for link in _chain(error):
        rows = []
        trace = link.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == path:
                rows.append(trace.tb_lineno)
            trace = trace.tb_next
        if rows:
            return rows[-1]
    return None


def graph_break(error: BaseException) -> str | None:
    """The id of Dynamo's graph-break page that the message links to."""
    for link in _chain(error):
        found = _BREAK_ID.search(str(link))
        if found:
            return f"GB{found.group(1)}" if found.group(1) else found.group(0)
    return None


def first_line(error: BaseException, path: str) -> str:
    """The first line of the message that says something, without what changes from run to run."""
    lines = [line.strip() for line in str(error).splitlines()]
    text = next((line for line in lines if line), "")
    text = text.replace(path, path.rsplit("/", 1)[-1]) if path else text
    text = re.sub(r"(?<![\w.])/(?:[\w.+-]+/)+", "…/", text)
    text = re.sub(r"0x[0-9a-f]{6,}", "0x…", text)
    text = re.sub(r"\b\d{12,}\b", "…", text)
    return text[:300]


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__
