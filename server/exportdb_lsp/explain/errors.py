"""From the lines of a log to the errors of torch.export in it: exception, text, stacks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from exportdb_lsp.worker.torch_text import STACK_MARKS, about_the_failure, stacks, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TRACEBACK: Final = re.compile(r"( *)(?:\+ )?(?:Exception Group )?Traceback \(most recent call last\):\s*$")
_LINK: Final = re.compile(r" *(?:During handling of the above exception|The above exception was the direct cause)")
_HEADER: Final = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:: (.*)|:?\s*)$")
# What an exception of torch or of Python is called, where no traceback says that the line is one.
_NAMED: Final = re.compile(
    r"(?:torch(?:\.\w+)*\.)?(?:[A-Z]\w*(?:Error|Exception|Unsupported|Violation)|Unsupported|GuardOnDataDependentSymNode"
    r"|PendingUnbackedSymbolNotFound)(?=:|$)"
)
_PYTEST_FRAME: Final = re.compile(r"([^\s:][^:\n]*\.(?:py|ipynb)):(\d+): (?:in ([\w<>.]+)|[\w.]*)\s*$")
_PYTEST_SAYS: Final = re.compile(r"E(?:$|( {2,}.*)$)")
_SECTION: Final = re.compile(r"={3,} .+ ={3,}$|_{3,} .+ _{3,}$|(?:_ ){5,}_?$|-{5,}.*-{5,}$")
# Of Dynamo's log, and of the report of draft_export.
_GRAPH_BREAK: Final = re.compile(r"Graph break (?:\(.*\) )?in user code at (.+):(\d+)\s*$")
_ISSUE: Final = re.compile(r"\s*\d+\. (Data dependent error|Guard Added|Missing fake kernel|Mismatched fake kernel)\.$")
# `eval s77 > 5 [guard added] (pkg/net.py:4 in forward)` of TORCH_LOGS=+dynamic, and `Caused by: …` of a message.
_GUARD_ADDED: Final = re.compile(r"(?:eval|set_replacement|_set_replacement) (.+?) \[.*?\] \((\S+):(\d+) in (\S+?)\)")
_SYMBOL: Final = re.compile(r"create_symbol (\w+) = \S+ for (\S+)")
_CAUSED_BY: Final = re.compile(r"Caused by: (.+?)  # (\S+):(\d+) in (\S+)")
_STRICT: Final = re.compile(
    r"\b_strict_export\b|from user code:|torch\._dynamo\.exc\.(?:Unsupported|TorchRuntimeError)"
)
_NON_STRICT: Final = re.compile(
    r"\b_non_strict_export\b|\bin _aot_export_non_strict\b|The following call raised this error"
)

_STANDARD: Final = re.compile(r"(?i)/lib/python\d[\d.]*/(?!(?:site|dist)-packages/)|/python\d*/lib/(?!site-packages/)")
_INSTALLED: Final = re.compile(r"/(?:site|dist)-packages/")
_TORCH: Final = re.compile(r"/(?:site|dist)-packages/(?:torch|functorch|_pytest|pluggy)/")
# As torch's own loggers write files of torch: without the folder that it is installed in.
_TORCH_RELATIVE: Final = re.compile(
    r"(?:_\w+|fx|nn|utils|export|autograd|functional|library|overrides|onnx|cuda|distributions|jit)(?:/|\.py$)"
)
# Files of torch that an export goes through before it comes to the user's code.
_EXPORTS: Final = re.compile(r"(?:^|/)torch/(?:export|_export|onnx|_dynamo)/")


@dataclass(frozen=True)
class Line:
    """A frame as a text shows it: the name that the file has there, and the line's code where it is printed."""

    filename: str
    row: int
    function: str = ""
    code: str = ""

    @property
    def path(self) -> str:
        """The name with slashes, as every system but one writes it."""
        return self.filename.replace("\\", "/")

    @property
    def installed(self) -> bool:
        """Whether the file belongs to an installed package."""
        return _INSTALLED.search(self.path) is not None


@dataclass
class LoggedException:
    """One exception of a chain, or what stands for one in a log."""

    exception: str = ""
    frames: list[Line] = field(default_factory=list[Line])
    message: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        """The message, all its lines."""
        return "\n".join(self.message).strip()


@dataclass(frozen=True)
class TorchError:
    """One failure of an export.

    `frames` is the user's stack at the failing line, outermost first; `caller` the line that called torch.export.
    """

    exception: str
    text: str
    strict: bool
    frames: tuple[Line, ...] = ()
    caller: Line | None = None
    severity: str = "error"
    """`error`, or `draft` for an issue of a draft_export report, where the export went on."""


def read_errors(lines: Sequence[str]) -> tuple[TorchError, ...]:
    """The failures in a log, each once, in the order in which they are first met."""
    found: dict[tuple[str, str, Line | None], TorchError] = {}
    log = "\n".join(lines)
    for chain in _chains(lines):
        error = _of_chain(chain, log)
        if error is not None:
            head = error.text.split("\n", 1)[0]
            key = (error.exception.rpartition(".")[2], head, error.frames[-1] if error.frames else None)
            known = found.get(key)
            if known is None or (known.caller is None and error.caller is not None):
                found[key] = error
    return tuple(_without_echoes(list(found.values())))


def _without_echoes(errors: list[TorchError]) -> Iterator[TorchError]:
    """Not twice the same error, once with its stack and once as the last line of a summary."""
    placed = {error.text.split("\n", 1)[0] for error in errors if error.frames or error.caller}
    for error in errors:
        if error.frames or error.caller or error.text.split("\n", 1)[0] not in placed:
            yield error


def _chains(lines: Sequence[str]) -> Iterator[list[LoggedException]]:
    """Groups of exceptions that were raised one from the other, the last one last."""
    chain: list[LoggedException] = []
    linked = False
    for part in _parts(lines):
        if part is None:
            linked = True
            continue
        if chain and not linked:
            yield chain
            chain = []
        chain.append(part)
        linked = False
    if chain:
        yield chain


def _parts(lines: Sequence[str]) -> Iterator[LoggedException | None]:
    """The exceptions of a log; None stands for the words between two of a chain."""
    reader = _Reader()
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        yield from reader.read(line, following)
    yield from reader.end()


class _Reader:
    """Goes over the lines once. A part is given out when the next one begins."""

    def __init__(self) -> None:
        self._part = LoggedException()
        self._indent = 0
        self._in_traceback = False
        self._said = False
        """The message of the part has begun."""
        self._pytest = False
        self._last_code = ""

    def read(self, line: str, following: str) -> Iterator[LoggedException | None]:
        """What is complete with this line."""
        match = _TRACEBACK.match(line)
        if match:
            yield from self.end()
            self._indent, self._in_traceback = len(match[1]), True
            return
        line = line[self._indent :] if not line[: self._indent].strip() else line
        if _LINK.match(line) or (self._pytest and _LINK.match(line.removeprefix("E").strip())):
            yield from self.end()
            yield None
            return
        issue = _ISSUE.match(line)
        graph_break = _GRAPH_BREAK.search(line)
        if issue or graph_break:
            yield from self.end()
            self._part.exception = issue[1] if issue else "Unsupported"
            self._part.message = [line.strip()]
            self._said = True
            if graph_break:
                self._part.frames.append(Line(graph_break[1], int(graph_break[2])))
            return
        yield from self._ordinary(line, following)

    def _ordinary(self, line: str, following: str) -> Iterator[LoggedException | None]:
        says = _PYTEST_SAYS.match(line)
        frame = None if self._in_traceback else _PYTEST_FRAME.match(line)
        if frame:
            if self._said:
                yield from self.end()
            code = following.strip() if frame[3] and following.startswith("    ") else self._last_code
            self._part.frames.append(Line(frame[1], int(frame[2]), frame[3] or "", code))
            self._pytest = True
        elif says and not self._in_traceback:
            self._say((says[1] or "").removeprefix("   "))
        elif line.startswith("> "):
            self._last_code = line[1:].strip()
        elif _SECTION.match(line.strip()):
            if self._said and not (self._pytest and line.startswith("_ ")):
                yield from self.end()
        elif self._in_traceback and not self._said:
            self._stack(line, following)
        elif self._said and not self._pytest:
            self._part.message.append(line)
        elif not self._said and _NAMED.match(line):
            if self._part.frames and not self._pytest:
                yield from self.end()
            self._header(line)
        elif not self._said and (placed := next(written(line), None)):
            self._part.frames.append(_line(placed, following))

    def _stack(self, line: str, following: str) -> None:
        placed = next(written(line), None)
        if placed is not None and line.startswith("  "):
            self._part.frames.append(_line(placed, following))
        elif line.strip() and not line.startswith(" "):
            self._header(line)

    def _header(self, line: str) -> None:
        match = _HEADER.match(line)
        self._part.exception = match[1] if match else ""
        self._part.message = [(match[2] or "") if match else line]
        self._said = True

    def _say(self, text: str) -> None:
        """A line that pytest marks as the exception's."""
        if not self._said:
            self._header(text.strip())
        else:
            self._part.message.append(text.removeprefix(" ") if text.strip() else "")

    def end(self) -> Iterator[LoggedException]:
        """The part that was being read, if there was one."""
        part = self._part
        complete = bool(part.message and (part.exception or part.text))
        self.__init__()
        if complete:
            yield part


def _line(placed: tuple[str, int, str], following: str) -> Line:
    code = following.strip()
    if not following.startswith("    ") or next(written(following), None) is not None:
        code = ""
    return Line(placed[0].strip(), placed[1], placed[2], code.strip("`"))


def _of_chain(chain: list[LoggedException], log: str) -> TorchError | None:
    """The failure that a chain of exceptions is, seen from the last one; None where torch.export has no part in it."""
    whole = "\n".join(part.text for part in chain)
    everything = [frame for part in chain for frame in part.frames]
    known = any(part.exception.startswith("torch.") or _of_torch(part) for part in chain)
    if not known and not any(_EXPORTS.search(frame.path) for frame in everything):
        return None
    last = chain[-1]
    draft = last.exception in ("Data dependent error", "Guard Added", "Missing fake kernel", "Mismatched fake kernel")
    frames_text = "\n".join(f"in {frame.function}" for frame in everything)
    strict = bool(_STRICT.search(f"{frames_text}\n{last.exception}\n{whole}")) and not _NON_STRICT.search(frames_text)
    caller: Line | None = None
    raised: list[list[Line]] = []
    for part in reversed(chain):
        outside, inside = _around_export(part.frames)
        if outside:
            caller = caller or outside[-1]
        if inside:
            raised.append(inside)
    text = about_the_failure(last.text)
    ordered = stacks(raised, _printed(chain, ("from user code:", "User code traceback:")), strict)
    known_stacks = [*ordered, *_printed(chain, STACK_MARKS), *_stacks_in_text(chain)]
    found = known_stacks[0] if known_stacks else []
    if "Constraints violated" in text or not found:
        found = _guards(text, log) or _causes(whole) or found
    return TorchError(
        last.exception.rpartition(".")[2] or "Exception",
        _issue_text(text) if draft else text,
        strict,
        tuple(found),
        caller,
        "draft" if draft else "error",
    )


def _of_torch(part: LoggedException) -> bool:
    if part.exception in ("Data dependent error", "Guard Added", "Missing fake kernel", "Mismatched fake kernel"):
        return True
    words = (
        "data-dependent expression", "Constraints violated", "torch.export", "torch._export", "torch.compile", "from user code:",
        "Dynamo", "FakeTensor", "graph break", "Graph Break Reason", "higher order operator",
    )  # fmt: skip
    return any(word in part.text for word in words)


def _issue_text(text: str) -> str:
    """An issue of draft_export in the words of the error that export would have raised for it."""
    expression = re.search(r"unable to evaluate the value of `(.+?)`", text)
    return f"Could not guard on data-dependent expression {expression[1]}\n{text}" if expression else text


def _around_export(frames: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """The user's frames of a traceback that lead to the call of export, and those that export led to."""
    entered = next((n for n, frame in enumerate(frames) if _EXPORTS.search(frame.path)), None)
    if entered is None:
        return [], _of_user(frames)
    return _of_user(frames[:entered]), _of_user(frames[entered:])


def _of_user(frames: Sequence[Line]) -> list[Line]:
    found: list[Line] = []
    for frame in frames:
        path = frame.path
        ours = path.startswith("<") or _STANDARD.search(path) or _TORCH.search(path) or _EXPORTS.search(path)
        if not ours and not re.match(r"(?:.*/)?torch/(?:_\w+|fx|nn|utils|_functorch|autograd)/", path):
            found.append(frame)
    return [frame for n, frame in enumerate(found) if n == 0 or frame != found[n - 1]]


def _printed(chain: Sequence[LoggedException], marks: Sequence[str]) -> list[list[Line]]:
    """The stacks that stand in messages behind words that introduce one."""
    found: list[list[Line]] = []
    for part in reversed(chain):
        for mark in marks:
            if mark in part.text:
                lines = _of_user(_frames_in(part.text.split(mark, 1)[1]))
                if lines:
                    found.append(lines)
                    break
    return found


def _stacks_in_text(chain: Sequence[LoggedException]) -> list[list[Line]]:
    """All frames that stand anywhere in a message; of draft_export's reports up to the framework's own."""
    texts = [part.text.split("And the following framework stacktrace")[0] for part in reversed(chain)]
    return [found for text in texts if (found := _of_user(_frames_in(text)))]


def _frames_in(text: str) -> list[Line]:
    lines = text.split("\n")
    found: list[Line] = []
    for number, line in enumerate(lines):
        placed = next(written(line), None)
        if placed is not None:
            found.append(_line(placed, lines[number + 1] if number + 1 < len(lines) else ""))
    return found


def _guards(text: str, log: str) -> list[Line]:
    """Where the log of `dynamic` says that the size was narrowed which a violated constraint names."""
    if "Constraints violated" not in text:
        return []
    sources = dict(_SYMBOL.findall(log))
    for match in _GUARD_ADDED.finditer(log):
        symbols = re.findall(r"\bs\d+\b", match[1])
        about = [sources[symbol] for symbol in symbols if symbol in sources]
        place = Line(match[2], int(match[3]), match[4])
        if (
            _of_user([place])
            and not _TORCH_RELATIVE.match(place.path)
            and (not about or any(source in text for source in about) or len(sources) < 2)
        ):
            return [place]
    return []


def _causes(text: str) -> list[Line]:
    """The line that a message names as its cause, behind its code."""
    found = [Line(m[2], int(m[3]), m[4], m[1].strip()) for m in _CAUSED_BY.finditer(text)]
    return [line for line in _of_user(found) if not _TORCH_RELATIVE.match(line.path)][-1:]
