"""What a real export came to. Plain data; `to_json` is the form that the command line and the editors get."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from exportdb_rules.finding import Mode


class Outcome(str, Enum):
    """How one export of one target in one mode ended."""

    OK = "ok"
    FAILS = "fails"
    DIVERGES = "diverges"
    SPECIALIZES = "specializes"
    NO_INPUTS = "no-inputs"
    NOT_REBUILT = "not-rebuilt"
    NO_TOOLS = "no-tools"
    EAGER_ERROR = "eager-error"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out-of-memory"
    CRASH = "crash"

    @property
    def is_fault(self) -> bool:
        """Whether the export says something against the model."""
        return self in (Outcome.FAILS, Outcome.DIVERGES, Outcome.SPECIALIZES)

    @property
    def untried(self) -> bool:
        """Nothing was learned about export: there was nothing to export, the call that does was not reached, what the goal
        needs is not installed, or the model does not even run in eager."""
        return self in (Outcome.NO_INPUTS, Outcome.NOT_REBUILT, Outcome.NO_TOOLS, Outcome.EAGER_ERROR)


class InputOrigin(str, Enum):
    """Where the example inputs came from; the first that has any wins, in this order."""

    RECORDED = "recorded"
    COMMENT = "comment"
    CONFIG = "config"
    MODULE = "module"
    CALL = "call"
    INFERRED = "inferred"


@dataclass(frozen=True)
class Frame:
    """One line of the user's stack, outermost first. `project` is false for other installed packages."""

    filename: str
    row: int
    code: str
    function: str = ""
    project: bool = True
    cell: int | None = None
    """Of a notebook: the number of the cell, in which `row` is counted."""

    @property
    def where(self) -> str:
        """The file, and of a notebook the cell: `x.ipynb:cell 3`."""
        return self.filename if self.cell is None else f"{self.filename}:cell {self.cell}"

    def to_json(self) -> dict[str, Any]:
        """The contract's three keys, and those that it leaves open."""
        return {
            "filename": self.filename,
            "row": self.row,
            "code": self.code,
            "function": self.function,
            "project": self.project,
            **({} if self.cell is None else {"cell": self.cell}),
        }


@dataclass(frozen=True)
class Inputs:
    """The inputs that were used, as source text that can be pasted back."""

    source: InputOrigin
    args: str
    kwargs: str = ""
    dynamic_shapes: str = ""
    constructor: str = ""
    place: str = ""
    """Where they stand: `pyproject.toml`, or `tests/test_net.py:12` for a call."""

    def as_comment(self) -> str:
        """The comment that, above the class, says the same."""
        return f"# exportdb: {self.as_fields()}"

    def as_fields(self) -> str:
        """All of them in one line, `args=(torch.randn(3),)`, though they may have been given in several."""
        fields = {
            "args": self.args,
            "kwargs": self.kwargs,
            "dynamic_shapes": self.dynamic_shapes,
            "constructor": self.constructor,
        }
        lines = {key: " ".join(line.strip() for line in value.strip().splitlines()) for key, value in fields.items()}
        return " ".join(f"{key}={value}" for key, value in lines.items() if value)

    def to_json(self) -> dict[str, Any]:
        """`source` and `args` always; the others where there are any."""
        optional = {
            "kwargs": self.kwargs,
            "dynamic_shapes": self.dynamic_shapes,
            "constructor": self.constructor,
            "place": self.place,
        }
        return {"source": self.source.value, "args": self.args, **{k: v for k, v in optional.items() if v}}


@dataclass(frozen=True)
class Failure:
    """A later failure: found by `draft_export`, or a static finding that the export never reached (`reached` false)."""

    message: str
    exception: str = ""
    frames: tuple[Frame, ...] = ()
    reached: bool = True
    code: str = ""

    @property
    def frame(self) -> Frame | None:
        """The innermost line of the project, else the innermost line that is known."""
        return innermost(self.frames)

    def to_json(self) -> dict[str, Any]:
        """One object of the contract's `failures`."""
        frame = self.frame
        return {
            "exception": self.exception,
            "message": self.message,
            "row": frame.row if frame else None,
            "row_filename": frame.filename if frame else None,
            "frames": [f.to_json() for f in self.frames],
            "reached": self.reached,
            "code": self.code or None,
        }


@dataclass(frozen=True)
class ValueDifference:
    """The first value in which eager and the exported program disagree."""

    call: int
    """Which call, counted from 1: more than 1 means that state or a fresh value made the difference."""
    place: str
    """`output`, `output[0]`, `buffer running_mean`, `input x`."""
    detail: str
    """A sentence: by how much, or what kind of difference."""
    eager: str = ""
    exported: str = ""
    """What eager and the exported program return there; empty where one of them raises."""
    changed: tuple[str, ...] = ()
    """Plain attributes of the eager model that the calls had changed by then."""
    sizes: str = ""
    """The sizes of that call where they are not those of the example."""

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "call": self.call,
            "place": self.place,
            "detail": self.detail,
            "eager": self.eager or None,
            "exported": self.exported or None,
            "changed": list(self.changed),
            "sizes": self.sizes or None,
        }


@dataclass(frozen=True)
class DimensionOutcome:
    """What became of one tensor dimension that was asked to be dynamic."""

    input: str
    axis: int
    size: int
    dynamic: bool
    symbol: str = ""
    """How export writes the size: `s0`, `2*s0`, or the number that it froze to."""
    lower: int | None = None
    upper: int | None = None
    cause: Frame | None = None
    """The line that froze or narrowed it."""
    reason: str = ""
    needless: bool = False
    """It was specialized or narrowed, though eager accepts other sizes."""

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "input": self.input,
            "axis": self.axis,
            "size": self.size,
            "dynamic": self.dynamic,
            "symbol": self.symbol,
            "lower": self.lower,
            "upper": self.upper,
            "cause": self.cause.to_json() if self.cause else None,
            "reason": self.reason or None,
        }


@dataclass(frozen=True)
class Traced:
    """A name that a line of the user's code assigned, and the operators that the line became."""

    filename: str
    row: int
    name: str
    """The variable, or empty where the line assigns none."""
    shape: str
    dtype: str
    operators: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "filename": self.filename,
            "row": self.row,
            "name": self.name,
            "shape": self.shape,
            "dtype": self.dtype,
            "operators": list(self.operators),
        }


@dataclass(frozen=True)
class Delegation:
    """Where a goal's tool runs the operators that a line of the user's code became."""

    filename: str
    row: int
    delegated: tuple[str, ...]
    """By a backend: XNNPACK."""
    portable: tuple[str, ...]
    """By the tool's own kernels."""

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        lists = {"delegated": list(self.delegated), "portable": list(self.portable)}
        return {"filename": self.filename, "row": self.row, **lists}


@dataclass(frozen=True)
class Graph:
    """The exported ATen graph, or what the goal's tool made of it. `lines` pairs a line of `text` with the user's line that it came from, from 1."""

    text: str
    lines: tuple[tuple[int, str, int], ...] = ()
    operators: int = 0

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {"text": self.text, "lines": [list(line) for line in self.lines], "operators": self.operators}


@dataclass(frozen=True)
class RuleNote:
    """What `check` knows of the line where an export went wrong: the rule, its page, and the fix that it offers."""

    code: str
    name: str
    url: str
    fix: str = ""
    """The title of the fix; empty where there is none."""
    unsafe: bool = False
    """The fix may change what eager computes."""

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {**self.__dict__, "fix": self.fix or None}


@dataclass(frozen=True)
class ExportResult:
    """One target, exported in one mode.

    `message` is a sentence for people; `detail` is torch's own text, unshortened. `frames` is the user's stack where
    it went wrong, outermost first; `frame` picks the line to mark.
    """

    target: str
    filename: str
    mode: Mode
    outcome: Outcome
    message: str
    torch: str = ""
    goal: str = ""
    """What the verdict is about, by its name in `worker/goals`; empty for the exported program."""
    operator: str = ""
    """What the tool of the goal did not take of a program that torch.export made."""
    delegation: tuple[Delegation, ...] = ()
    """Where the operators of each line run, for a goal whose tool has more than one place for them."""
    remark: str = ""
    """What was not checked."""
    exception: str | None = None
    detail: str = ""
    frames: tuple[Frame, ...] = ()
    blamed: bool = False
    """The line is the one that the static findings point to; torch named none."""
    origin: tuple[Frame, ...] = ()
    """Where the unbacked value was made that the failing line stumbles over."""
    graph_break_id: str | None = None
    hints: tuple[str, ...] = ()
    case: str | None = None
    failures: tuple[Failure, ...] = ()
    draft: str = ""
    """Why `draft_export` found nothing more, where it could not be asked: it crashed, this torch has none, …"""
    suggested_fixes: Mapping[str, str] = field(default_factory=dict[str, str])
    range_constraints: Mapping[str, str] = field(default_factory=dict[str, str])
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    """Of a program that was exported: operators, inputs, outputs, parameters, buffers."""
    inputs: Inputs | None = None
    seconds: float = 0.0
    difference: ValueDifference | None = None
    calls: int = 0
    """How many calls of eager and of the exported program were compared."""
    dimensions: tuple[DimensionOutcome, ...] = ()
    dynamic_shapes: str = ""
    """A `dynamic_shapes=` that can be pasted; with `dynamic="auto"` only."""
    traced: tuple[Traced, ...] = ()
    graph: Graph | None = None
    output: str = ""
    """What the model printed, cut to a bound."""
    rule: RuleNote | None = None
    call: str = ""
    """`FILE:ROW` of the call of torch.export that was judged; empty where no call of the user's was."""
    lines: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, "tuple[int, ...]"])
    """The lines of the project that ran in eager, by file; where the request asks for them."""
    constants: Mapping[str, str] = field(default_factory=dict[str, str])
    """Inputs that are no tensors: the program accepts this value of each, and no other."""

    @property
    def frame(self) -> Frame | None:
        """The innermost line of the project, else the innermost line that is known."""
        return innermost(self.frames)

    @property
    def how(self) -> str:
        """The mode, and the goal if there is one: `non-strict, onnx`."""
        return f"{self.mode.value}, {self.goal}" if self.goal else self.mode.value

    @property
    def of_tool(self) -> bool:
        """Whether the verdict is that of the goal's tool: torch.export itself may do better, or worse."""
        return bool(self.goal) and (bool(self.operator) or self.outcome in (Outcome.DIVERGES, Outcome.SPECIALIZES))

    def to_json(self) -> dict[str, Any]:
        """The object of the contract. Keys that the contract does not name come after those that it does.

        `row` is a line of `row_filename`, which is another file than `filename` where the failing line is in a helper.
        """
        frame = self.frame
        return {
            "target": self.target,
            "filename": self.filename,
            "torch": self.torch,
            "mode": self.mode.value,
            "outcome": self.outcome.value,
            "exception": self.exception,
            "message": self.message,
            "row": frame.row if frame else None,
            "frames": [f.to_json() for f in self.frames],
            "graph_break_id": self.graph_break_id,
            "case": self.case,
            "failures": [f.to_json() for f in self.failures],
            "suggested_fixes": dict(self.suggested_fixes),
            "range_constraints": dict(self.range_constraints),
            "inputs": self.inputs.to_json() if self.inputs else None,
            "seconds": round(self.seconds, 3),
            "row_filename": frame.filename if frame else None,
            **({} if frame is None or frame.cell is None else {"cell": frame.cell}),
            "blamed": self.blamed,
            "origin": [f.to_json() for f in self.origin],
            "detail": self.detail,
            "hints": list(self.hints),
            "draft": self.draft or None,
            "difference": self.difference.to_json() if self.difference else None,
            "calls": self.calls,
            "counts": dict(self.counts),
            "dimensions": [d.to_json() for d in self.dimensions],
            "dynamic_shapes": self.dynamic_shapes or None,
            "traced": [t.to_json() for t in self.traced],
            "graph": self.graph.to_json() if self.graph else None,
            "output": self.output,
            "rule": self.rule.to_json() if self.rule else None,
            "call": self.call or None,
            "constants": dict(self.constants),
            "goal": self.goal or None,
            "operator": self.operator or None,
            "remark": self.remark or None,
            "delegation": [d.to_json() for d in self.delegation],
        }


def innermost(frames: tuple[Frame, ...]) -> Frame | None:
    """The last frame inside the project, or the last frame at all, or None."""
    return next((f for f in reversed(frames) if f.project), frames[-1] if frames else None)
