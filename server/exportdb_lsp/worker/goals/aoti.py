"""AOTInductor: the package that torch._inductor compiles of a program, loaded and run."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import os
import tempfile
from typing import Any

from ..program import Forgotten, Listing
from ..stack import FrameClassifier
from . import Refusal, nodes
from .artefact import Artefact, Loaded
from .listing import Writer, begin, end, write_node

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


class Package(Artefact):
    """A package that takes and returns what the exported program does."""

    def __init__(self, path: str, program: Any, users: FrameClassifier) -> None:
        super().__init__("aoti", program, users)
        self._path = path
        self._unused: _Call | None = _Call(path)

    def module(self) -> _Call:
        """The package, loaded anew if it has been called before."""
        unused, self._unused = self._unused, None
        return unused or _Call(self._path)

    def forgotten(self, again: bool) -> Forgotten | None:
        """The buffers that the exported program writes: a package begins every call with those that it was made with."""
        if not again:
            return None
        return nodes.unkept(self.exported.run_decompositions({}), {"BUFFER_MUTATION": "buffer"}, self.users)

    def listing(self) -> Listing:
        """The program in the operators that AOTInductor compiles: its kernels have no text that names the user's lines."""
        from torch._inductor.decomposition import select_decomp_table

        program = self.exported.run_decompositions(select_decomp_table())
        writer = Writer()
        writer.line("# The program that AOTInductor compiles, after its decompositions")
        begin(writer, program)
        for node in program.graph.nodes:
            if node.op == "call_function":
                write_node(writer, node, self.users, 1)
        end(writer, program)
        return writer.listing()


class _Call(Loaded):
    """Calls a package. What it keeps is compiled into it, and cannot be looked at."""

    def __init__(self, path: str) -> None:
        import torch._inductor

        self._loaded: Any = torch._inductor.aoti_load_package(path)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._loaded(*args, **kwargs)
