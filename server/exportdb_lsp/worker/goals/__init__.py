"""What an export is for: the tools that take an exported program further. One module each, which is imported when it is
asked for; what all of them are, and what a job needs of each, stands here.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from ..program import Runnable
from ..stack import Frame, FrameClassifier


class Goal(NamedTuple):
    """What is said of a goal, and what it needs."""

    title: str
    artefact: str
    """What its tool makes, in a sentence."""
    packages: tuple[str, ...]
    """What has to be installed beside torch; each is imported under the name that it is installed by."""
    slack: float
    """How many times as far from eager its numbers may be as those of the exported program, which has eager's kernels."""


# By name, which is also that of the module below.
GOALS: Mapping[str, Goal] = {
    "onnx": Goal("ONNX", "the ONNX model", ("onnx", "onnxscript", "onnxruntime"), 10.0),
}


class Refusal(NamedTuple):
    """What a tool did not take of a program."""

    says: str
    """Who cannot do what: `torch.onnx.export cannot lower`. The operator, then the reason, come behind it."""
    operator: str
    frames: list[Frame]
    """The user's lines that made it."""


class Tool(Protocol):
    """A goal's own program in the user's interpreter, for one export."""

    def listening(self) -> AbstractContextManager[Any]:
        """Within it, the tool is asked; what it asks of torch.export meanwhile is noted."""
        ...

    def of_model(self, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dynamic_shapes: Any) -> Any:
        """What the tool's own function returns for a model.

        Raises:
            Exception: it takes the model no further.
        """
        ...

    def of_program(self, program: Any) -> Any:
        """What the tool's own function returns for an exported program.

        Raises:
            Exception: it takes the program no further.
        """
        ...

    def artefact(self, made: Any) -> Runnable:
        """What the tool's own function returned, ready to be run beside eager.

        Raises:
            Exception: it cannot be loaded.
        """
        ...

    def asked(self, dynamic_shapes: Any) -> Any:
        """The dynamic shapes that the tool was given, as torch.export has them."""
        ...

    def narrowed(self) -> BaseException | None:
        """Why torch.export refused the dynamic shapes that were asked for, where the tool went on with others by itself."""
        ...

    def cause(self, error: BaseException) -> BaseException:
        """The error that the tool wrapped in its own."""
        ...

    def refusal(self, error: BaseException) -> Refusal | None:
        """What was not taken of a program that torch.export made; None where torch.export itself raised."""
        ...


def missing(goal: str) -> list[str]:
    """The packages of a goal that are not installed here."""
    return [name for name in GOALS[goal].packages if importlib.util.find_spec(name) is None]


def tool(goal: str, users: FrameClassifier) -> Tool:
    """The tool of a goal."""
    module: Any = importlib.import_module("." + goal, __name__)
    return module.make(users)
