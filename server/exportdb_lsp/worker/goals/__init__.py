"""What an export is for: the tools that take an exported program further. One module each, which is imported when it is
asked for; what all of them are, and what a job needs of each, stands here.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from ..program import Runnable
from ..stack import Frame, FrameClassifier, describe


class Goal(NamedTuple):
    """What is said of a goal, and what it needs."""

    title: str
    artefact: str
    """What its tool makes, in a sentence."""
    packages: tuple[str, ...]
    """What has to be installed beside torch; each is imported under the name that it is installed by."""
    slack: float
    """How many times as far from eager its numbers may be as those of the exported program, which has eager's kernels."""
    torch: str = ""
    """The first version of torch that has the tool, where not every one does."""
    compiles: bool = False
    """It needs a C++ compiler."""
    imports: tuple[str, ...] = ()
    """The modules of these packages that are used, where a package may be installed without what these need."""


# By name, which is also that of the module below.
GOALS: Mapping[str, Goal] = {
    "onnx": Goal("ONNX", "the ONNX model", ("onnx", "onnxscript", "onnxruntime"), 10.0),
    "executorch": Goal(
        "ExecuTorch",
        "the ExecuTorch program",
        ("executorch",),
        10.0,
        imports=(
            "executorch.exir",
            "executorch.backends.xnnpack.partition.xnnpack_partitioner",
            "executorch.runtime",
        ),
    ),
    "aoti": Goal("AOTInductor", "the AOTInductor package", (), 10.0, torch="2.6", compiles=True),
}


class Refusal(NamedTuple):
    """What a tool did not take of a program."""

    says: str
    """Who cannot do what: `torch.onnx.export cannot lower`. The operator, then the reason, come behind it."""
    operator: str
    frames: list[Frame]
    """The user's lines that made it."""


class Placed(NamedTuple):
    """Where a tool runs the operators that a line of the user's code became."""

    filename: str
    row: int
    delegated: list[str]
    """By a backend."""
    portable: list[str]
    """By the tool's own kernels."""


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
    """What of the packages of a goal is not installed here, as it is asked of pip."""
    torch: Any = sys.modules["torch"]
    needed = GOALS[goal]
    old = [f"torch>={needed.torch}"] if needed.torch and torch.__version__ < needed.torch else []
    return old + [name for name in needed.packages if importlib.util.find_spec(name) is None]


def unusable(goal: str) -> str:
    """Why what a goal needs cannot be used though it is installed; empty if it can."""
    try:
        for name in GOALS[goal].imports:
            importlib.import_module(name)
    except (ImportError, OSError) as error:
        return f"{type(error).__name__}: {describe(error)}"
    return ""


def compiler() -> str:
    """The C++ compiler that torch calls."""
    return os.environ.get("CXX") or {"darwin": "clang++", "win32": "cl"}.get(sys.platform, "g++")


def missing_compiler(goal: str) -> str:
    """The C++ compiler that a goal needs and that is not installed here; empty if nothing is missing."""
    return compiler() if GOALS[goal].compiles and shutil.which(compiler()) is None else ""


def tool(goal: str, users: FrameClassifier) -> Tool:
    """The tool of a goal."""
    module: Any = importlib.import_module("." + goal, __name__)
    return module.make(users)
