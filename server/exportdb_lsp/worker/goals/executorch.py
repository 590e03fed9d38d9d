"""ExecuTorch: the program that its lowering makes for XNNPACK and the portable kernels, run by its runtime for Python."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import importlib
import os
import re
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from ..program import Forgotten, Listing, has_values
from ..stack import Frame, FrameClassifier, chain, describe
from . import GOALS, Placed, Refusal, nodes, signature
from .artefact import Artefact, Loaded
from .listing import Writer, begin, called_with, end, write_node

LOWERS, LOADS, RUNS = (
    "ExecuTorch cannot lower",
    "the ExecuTorch runtime cannot load",
    "the ExecuTorch runtime cannot run",
)


class Lowering(nodes.OfPrograms):
    """One lowering by ExecuTorch, of a program that torch.export makes as it was asked to."""

    def __init__(self, users: FrameClassifier) -> None:
        super().__init__(users)
        self._loaded: ExecutorchProgram | None = None
        self._ran = False

    def of_program(self, program: Any) -> Any:
        """The ExecutorchProgramManager of an ExportedProgram."""
        lowering, xnnpack, _ = _modules()
        self.program = program
        edge = lowering.to_edge_transform_and_lower(program, partitioner=[xnnpack.XnnpackPartitioner()])
        return edge.to_executorch()

    def artefact(self, made: Any) -> ExecutorchProgram:
        """The program, loaded and run once on the example inputs: what it has no kernel for, it says only then."""
        self._loaded = ExecutorchProgram(made, self.program, self.users)
        call = self._loaded.load()
        args, kwargs = self.program.example_inputs
        inputs = signature.flat_inputs(self.program, args, kwargs)
        torch: Any = sys.modules["torch"]
        if all(has_values(value) for value in inputs if isinstance(value, torch.Tensor)):
            self._ran = True
            call(*args, **kwargs)
        return self._loaded

    def cause(self, error: BaseException) -> BaseException:
        """The error that a pass of the lowering raised: the one around it says which pass it was."""
        return error if self._loaded is not None else error.__cause__ or error

    def refusal(self, error: BaseException) -> Refusal | None:
        """The operator that the lowering or the runtime names, else the node that the lowering was at."""
        if self.program is None:
            return None
        if self._loaded is not None:
            text = describe(error)
            refusal = nodes.of_node(RUNS if self._ran else LOADS, self._loaded.named(text), self.users)
            return refusal._replace(frames=self._loaded.lines_of(error))
        held = list(nodes.in_hand(error))
        text = "\n".join(describe(raised) for raised in chain(error))
        # The innermost has the dialect in which the message speaks.
        graphs = [node.graph for node in reversed(held)] or [self.program.graph]
        named = next((node for graph in graphs if (node := _named(graph, text)) is not None), None)
        return nodes.of_node(LOWERS, named or next(reversed(held), None), self.users)


def make(users: FrameClassifier) -> Lowering:
    """The tool of this goal."""
    return Lowering(users)


def _modules() -> list[Any]:
    """What of the user's ExecuTorch is used: the lowering, the partitioner of XNNPACK, the runtime."""
    return [importlib.import_module(name) for name in GOALS["executorch"].imports]


# What an operator is called in messages: `aten.abs.default`, `aten::sort.values`, `lib::twice`.
_WORD = re.compile(r"\w+(?:\.|::)\w+(?:\.\w+)?")


def _named(graph: Any, text: str) -> Any:
    """The first node whose operator a message names."""
    said = {word.replace("::", ".") for word in _WORD.findall(text)}
    said |= {word.split(".", 2)[-1] for word in said if word.startswith("torch._ops.")}
    said |= set(re.findall(r"torch\._ops\.(\w+\.\w+\.\w+)", text))
    for node in graph.nodes:
        name = nodes.operator(node)
        if node.op == "call_function" and said & {name, name.removesuffix(".default"), name.rpartition(".")[0]}:
            return node
    return None


# `KernelCall failed at instruction 0:4 in operator aten::mul.out: 0x12`: the position in the method, which is the main
# graph of the program.
_INSTRUCTION = re.compile(r"failed at instruction 0:(\d+)")


# `Check failed (tensors_have_same_dim_order(a, b, out))`, `input tensors have different dim orders`
_DIM_ORDER = re.compile(r"dim[ _]order")


def _reordering(node: Any) -> Any:
    """The first of the nodes that gave the inputs of a node their order of dimensions in memory, if it is no usual one;
    otherwise the node itself."""
    while True:
        before = [n for n in node.all_input_nodes if "debug_handle" in n.meta and _unusual(n.meta.get("spec"))]
        if not before:
            return node
        node = before[0]


def _unusual(spec: Any) -> bool:
    """Whether the dimensions of a result lie neither in their own order nor with the channels last."""
    order = tuple(getattr(spec, "dim_order", None) or ())
    ordinary = tuple(range(len(order)))
    return order not in (ordinary, (*ordinary[:1], *ordinary[2:], *ordinary[1:2]))


class ExecutorchProgram(Artefact):
    """An ExecuTorch program that takes and returns what the exported program does."""

    def __init__(self, made: Any, program: Any, users: FrameClassifier) -> None:
        super().__init__("executorch", program, users)
        self._made = made
        self._graph = made.exported_program().graph

    def load(self) -> _Call:
        """The program in the state in which it was lowered.

        Raises:
            RuntimeError: the runtime does not load it.
        """
        return _Call(self._made.buffer, self.exported)

    module = load

    def named(self, text: str) -> Any:
        """The node that a message of the runtime is about."""
        instruction = _INSTRUCTION.search(text)
        if instruction is not None:
            # The emission gives each node the number of its instruction.
            number = int(instruction[1])
            at = [node for node in self._graph.nodes if node.meta.get("debug_handle") == number]
            if at:
                return at[0]
        return _named(self._graph, text)

    def lines_of(self, error: BaseException) -> list[Frame]:
        """The user's lines that made the node which the runtime names, or that which gave its inputs an order of dimensions
        that it refuses."""
        text = describe(error)
        node = self.named(text)
        if node is not None and _DIM_ORDER.search(text):
            node = _reordering(node)
        return nodes.origin(node, self.users) if node is not None else []

    def forgotten(self, again: bool) -> Forgotten | None:
        """The buffers and inputs that the exported program writes: ExecuTorch keeps a buffer, but begins with zeros in
        it, and works on copies of inputs."""
        functional = self.exported.run_decompositions({})
        buffers = nodes.writes(functional, {"BUFFER_MUTATION": "buffer"}, self.users)
        if buffers:
            names = ", ".join(buffers)
            return Forgotten(f"does not begin with the values of {names}", next(iter(buffers.values())))
        return nodes.unkept(functional, {"USER_INPUT_MUTATION": "input"}, self.users) if again else None

    def placed(self) -> list[Placed]:
        """Which operators XNNPACK takes, and which run in portable kernels, by line."""
        found: dict[tuple[str, int], Placed] = {}
        for graph, delegated in self._graphs():
            for node in graph.nodes:
                if node.op != "call_function" or not hasattr(node.target, "_schema"):
                    continue
                frames = [frame for frame in nodes.origin(node, self.users) if frame["project"]]
                if frames:
                    place = (frames[-1]["filename"], frames[-1]["row"])
                    of_line = found.setdefault(place, Placed(*place, [], []))
                    (of_line.delegated if delegated else of_line.portable).append(nodes.operator(node))
        return [found[place] for place in sorted(found)]

    def listing(self) -> Listing:
        """The operators of the program, with those that a backend runs below the call of it."""
        writer = Writer()
        program = self._made.exported_program()
        writer.line("# ExecuTorch program")
        begin(writer, program)
        for node in self._graph.nodes:
            # What is not emitted as an instruction is memory for results.
            if node.op == "call_function" and "debug_handle" in node.meta:
                backend = getattr(program.graph_module, str(node.args[0]), None) if node.args else None
                if hasattr(backend, "backend_id"):
                    self._write_delegate(writer, node, backend)
                else:
                    write_node(writer, node, self.users, 1, hidden=("out",))
        end(writer, program)
        return writer.listing()

    def _write_delegate(self, writer: Writer, node: Any, backend: Any) -> None:
        names = [argument.name for argument in signature.user_inputs(backend.original_module)]
        given = dict(zip(names, map(str, node.args[1:])))
        writer.line(f"{node.name} = {called_with(backend.backend_id, (), given)}", 1)
        for inner in backend.original_module.graph.nodes:
            if inner.op == "call_function":
                write_node(writer, inner, self.users, 2)

    def _graphs(self) -> Generator[tuple[Any, bool]]:
        """The program's graphs, and whether each was delegated."""
        for module in self._made.exported_program().graph_module.modules():
            original = getattr(module, "original_module", None)
            if original is not None:
                yield original.graph, True
            elif hasattr(module, "graph"):
                yield module.graph, False


class _Call(Loaded):
    """Calls an ExecuTorch program."""

    def __init__(self, buffer: bytes, program: Any) -> None:
        runtime = _modules()[2].Runtime.get()
        self._program = program
        with _explained():
            # The method has its memory in the program.
            self._loaded: Any = runtime.load_program(buffer)
            self._method: Any = self._loaded.load_method("forward")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        inputs = signature.flat_inputs(self._program, args, kwargs)
        with _explained():
            returned = list(self._method.execute(inputs))
        # Before its outputs, it returns the inputs that it would have written.
        own = returned[len(returned) - len(signature.user_outputs(self._program)) :]
        pairs = zip(signature.user_outputs(self._program), own)
        values = (value for argument, value in pairs if not signature.is_constant(argument))
        return signature.restored(self._program, values, lambda _, value: value)


@contextmanager
def _explained() -> Generator[None]:
    """Puts what the runtime writes to stderr meanwhile into the exception that it raises, which has a number only.

    Raises:
        RuntimeError: it raised one.
    """
    sys.stderr.flush()
    ours = os.dup(2)
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            yield
        except RuntimeError as error:
            log.seek(0)
            said = [_LOG.sub("", line) for line in log.read().decode("utf-8", "replace").splitlines()]
            raise RuntimeError("\n".join([*_reasons(said), describe(error)])) from error
        finally:
            os.dup2(ours, 2)
            os.close(ours)


_LOG = re.compile(r"^\[\w+\.cpp:\d+\] ")
_REASON = re.compile(r"fail|missing|not found|error|attempted|unsupported|must|expected", re.IGNORECASE)


def _reasons(lines: list[str]) -> list[str]:
    """What of a log is about a failure: the runtime also writes down the arguments, and what it thinks of the processor."""
    return [line for line in lines if _REASON.search(line) and "midr" not in line]
