"""What a check says: verdicts, places, findings and fixes. Plain data; everything above the analyser speaks it."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from exportdb_rules.terms import Demand


class Mode(str, Enum):
    """How `torch.export.export` traces: by running Python on fake tensors, or through Dynamo."""

    NON_STRICT = "non-strict"
    STRICT = "strict"


class Verdict(str, Enum):
    """What export does with a line: see "Words" in the documentation."""

    FAILS = "fails"
    DIVERGES = "diverges"
    SPECIALIZES = "specializes"
    OK = "ok"


class Confidence(str, Enum):
    """How much of what a finding rests on was seen, and how much was assumed."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"

    @property
    def rank(self) -> int:
        """0 for `possible` up to 2 for `certain`: larger is surer."""
        return ("possible", "likely", "certain").index(self.value)


class Severity(str, Enum):
    """The names the editors use."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


class Applicability(str, Enum):
    """`safe` cannot change what eager computes; `unsafe` may, and only the user can decide."""

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text. Rows and columns count from 1; columns count Unicode code points."""

    row: int
    column: int


START: Final = Position(1, 1)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of text, `end` exclusive."""

    start: Position
    end: Position


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that explains a finding: where the unbacked value was made, which call reached the line."""

    filename: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file, or a part of it, could not be checked: a sentence, and its place, as far as it has one.

    An empty `filename`: it is about no file. `internal`: the analyzer is at fault, not the file. `note`: nothing went
    wrong, and something was left out on purpose, or because of a bound.
    """

    filename: str
    message: str
    position: Position | None = None
    _: KW_ONLY
    internal: bool = False
    note: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `content` in place of `span`. An empty span inserts."""

    span: Span
    content: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A rewrite that was found right for one finding. `edits` do not overlap and are in the order of the text.

    An `optional` one is for people to choose only: it is never applied where nobody does. An `any_types` one does in eager
    what was done before, whatever the values in it are: it rests on nothing that was taken for a tensor. An `arrays` one does so
    for numpy's arrays as well. A `dtypes` one rests on the dtypes of tensors, not only on what is a tensor. A `declares` one
    changes what is declared of the inputs, and is one only where that is all that was missing.
    """

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...]
    preferred: bool = False
    optional: bool = False
    any_types: bool = False
    arrays: bool = False
    dtypes: bool = False
    declares: bool = False

    @property
    def caution(self) -> str:
        """What an unsafe fix may change, in a few words; empty for a safe one."""
        if self.applicability is Applicability.SAFE:
            return ""
        return "export may accept fewer sizes" if self.declares else "may change what eager computes"


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule at one place.

    `verdict` holds, per mode, what a real export was measured to do on the torch version asked about; `case`
    names the measured program that it rests on. `entry` is the traced function that reached the line first. `demand` is
    what must hold of its dynamic dimensions, where that is known. `goal`: what the export is for, where the verdict is that of
    its tool, and torch.export has another. `package`: the installed package that the code is of, where the place is the call of
    it in the project.
    """

    code: str
    name: str
    message: str
    filename: str
    span: Span
    verdict: Mapping[Mode, Verdict]
    confidence: Confidence
    entry: str
    case: str = ""
    related: tuple[Related, ...] = field(default=())
    fixable: bool = False
    demand: Demand | None = None
    goal: str = ""
    package: str = ""

    @property
    def severity(self) -> Severity:
        """`fails` and `diverges` are errors in the default mode, warnings where only the other mode has them. A dimension that a
        goal's tool specializes where torch.export would have raised is a warning: nobody else tells."""
        verdicts = set(self.verdict.values())
        default = self.verdict.get(Mode.NON_STRICT, Verdict.OK)
        if default in (Verdict.FAILS, Verdict.DIVERGES):
            return Severity.ERROR if self.confidence is not Confidence.POSSIBLE else Severity.WARNING
        if verdicts & {Verdict.FAILS, Verdict.DIVERGES} or (self.goal and default is Verdict.SPECIALIZES):
            return Severity.WARNING
        return Severity.HINT
