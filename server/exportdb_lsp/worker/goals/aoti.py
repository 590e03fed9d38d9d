"""AOTInductor: the package that torch._inductor compiles of a program, loaded and run."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import os
import tempfile
from typing import Any

from ..program import Forgotten
from ..stack import Frame, FrameClassifier
from . import GOALS, Refusal, nodes

# What makes one compilation faster and its kernels no others: no processes that wait for further ones, no headers
# prepared for them, and C++ around the kernels that nobody optimizes. A torch that does not know an option has no use for it.
_ONCE = {
    "compile_threads": 1,
    "cpp_cache_precompile_headers": False,
    "aot_inductor.precompile_headers": False,
    "aot_inductor.compile_wrapper_opt_level": "O0",
}


class Compiler(nodes.OfPrograms):
    """One compilation by AOTInductor, of a program that torch.export makes as it was asked to."""

    def of_program(self, program: Any) -> str:
        """The path of the package of an ExportedProgram, in the temporary folder."""
        import torch._inductor
        from torch._inductor import config

        self.program = program
        known = config.get_config_copy()
        path = os.path.join(tempfile.mkdtemp(), "model.pt2")
        options = {name: value for name, value in _ONCE.items() if name in known}
        return torch._inductor.aoti_compile_and_package(program, package_path=path, inductor_configs=options)

    def artefact(self, made: str) -> Package:
        """The package, loaded."""
        return Package(made, self.program, self.users)

    def cause(self, error: BaseException) -> BaseException:
        """The error that torch.compile's wrapper is about."""
        return getattr(error, "inner_exception", error)

    def refusal(self, error: BaseException) -> Refusal | None:
        """The node of the graph that AOTInductor was at."""
        from torch.fx import Interpreter

        if self.program is None:
            return None
        return nodes.refused("AOTInductor cannot compile", error, self.users, Interpreter.run.__code__)


def make(users: FrameClassifier) -> Compiler:
    """The tool of this goal."""
    return Compiler(users)


class Package:
    """A package that takes and returns what the exported program does."""

    called = GOALS["aoti"].artefact
    slack = GOALS["aoti"].slack
    guarded = False
    draws_as_torch = False

    def __init__(self, path: str, program: Any, users: FrameClassifier) -> None:
        self.exported = program
        self._path = path
        self._users = users
        self._unused: _Call | None = _Call(path)

    def module(self) -> _Call:
        """The package, loaded anew if it has been called before."""
        unused, self._unused = self._unused, None
        return unused or _Call(self._path)

    def sizes(self) -> dict[int, list[int | str]]:
        """None of its own."""
        return {}

    def lines_of(self, error: BaseException) -> list[Frame]:
        """None: its errors speak of its own kernels."""
        return []

    def forgotten(self, again: bool) -> Forgotten | None:
        """The buffers that the exported program writes: a package begins every call with those that it was made with."""
        if not again:
            return None
        return nodes.unkept(self.exported.run_decompositions({}), {"BUFFER_MUTATION": "buffer"}, self._users)

    def placed(self) -> list[Any]:
        """Nothing: all of it is compiled."""
        return []


class _Call:
    """Calls a package. What it keeps is compiled into it, and cannot be looked at."""

    def __init__(self, path: str) -> None:
        import torch._inductor

        self._loaded: Any = torch._inductor.aoti_load_package(path)

    def named_buffers(self) -> tuple[()]:
        """None: what it would keep from call to call shows in the next call."""
        return ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._loaded(*args, **kwargs)
