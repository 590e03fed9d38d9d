"""torch.onnx.export, and its model run by onnxruntime."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..program import Forgotten, Listing
from ..shapes import InputTensor, kept
from ..stack import Frame, FrameClassifier, chain, describe
from . import Refusal, nodes, signature
from .artefact import Artefact, Loaded
from .listing import Writer, called_with


class _Attempt(NamedTuple):
    """One call of torch.export by the exporter."""

    dynamic_shapes: Any
    error: BaseException | None


class Exporter:
    """One call of torch.onnx.export.

    It tries torch.export with the dynamic shapes that it is given. Where that is refused, it tries once more with those
    that torch suggests, and says nothing.
    """

    def __init__(self, users: FrameClassifier) -> None:
        self._users = users
        self._attempts: list[_Attempt] = []
        self._begun = False
        self._made: Any = None

    @contextmanager
    def listening(self) -> Generator[None]:
        """Within it, the exporter is asked; its calls of torch.export are noted."""
        self._begun = True
        torch: Any = sys.modules["torch"]
        original = torch.export.export

        def noted(*args: Any, **kwargs: Any) -> Any:
            error: BaseException | None = None
            try:
                return original(*args, **kwargs)
            except BaseException as raised:
                error = raised
                raise
            finally:
                self._attempts.append(_Attempt(kwargs.get("dynamic_shapes"), error))

        torch.export.export = noted
        try:
            yield
        finally:
            torch.export.export = original

    def of_model(self, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dynamic_shapes: Any) -> Any:
        """The ONNXProgram of a model."""
        torch: Any = sys.modules["torch"]
        return torch.onnx.export(
            model, args, kwargs=kwargs, dynamic_shapes=dynamic_shapes, dynamo=True, verbose=False
        )  # fmt: skip

    def of_program(self, program: Any) -> Any:
        """The ONNXProgram of an ExportedProgram."""
        self._begun = True
        torch: Any = sys.modules["torch"]
        return torch.onnx.export(program, dynamo=True, verbose=False)

    def artefact(self, made: Any) -> OnnxModel:
        """An ONNXProgram in onnxruntime."""
        self._made = made
        return OnnxModel(made, self._users)

    def asked(self, dynamic_shapes: Any) -> Any:
        """What the exporter made of names of axes and of `dynamic_axes`, else the shapes themselves."""
        return self._attempts[0].dynamic_shapes if self._attempts else dynamic_shapes

    def narrowed(self) -> BaseException | None:
        """Why torch.export refused, where the exporter took other shapes than those that it was given."""
        if len(self._attempts) < 2 or self._attempts[-1].dynamic_shapes is self._attempts[0].dynamic_shapes:
            return None
        return self._attempts[-2].error

    def cause(self, error: BaseException) -> BaseException:
        """The first error that is not one of the exporter's wrappers around another."""
        torch: Any = sys.modules["torch"]
        base = getattr(torch.onnx, "OnnxExporterError", ())
        return next((e for e in chain(error) if not isinstance(e, base) or e.__cause__ is None), error)

    def refusal(self, error: BaseException) -> Refusal | None:
        """The node of the graph that the exporter was at, or that onnxruntime names."""
        if not self._begun or (self._attempts and self._attempts[-1].error is not None):
            return None
        if self._made is not None:
            node = _named(self._made.model, describe(error))
            operator, frames = (node.op_type, _origin(node, self._users)) if node is not None else ("", [])
            return Refusal("onnxruntime cannot load", operator or "the model", frames)
        return nodes.refused("torch.onnx.export cannot lower", error, self._users)


def meant_axes(options: Mapping[str, Any], inputs: Sequence[InputTensor], dynamic: Any) -> dict[int, dict[int, Any]]:
    """What `dynamic_axes` says by its names, which the exporter does not go by: by leaf position, by axis, `dynamic`.

    Args:
        options: those of the call; `input_names` are the names of the inputs where it has them.
    """
    names = [*(options.get("input_names") or ())]
    names += [leaf.name for leaf in inputs[len(names) :]]
    found: dict[int, dict[int, Any]] = {}
    for leaf, name in zip(inputs, names, strict=False):
        axes = options["dynamic_axes"].get(name)
        if axes:
            found[leaf.position] = {axis % max(1, leaf.tensor.dim()): dynamic for axis in axes}
    return found


def make(users: FrameClassifier) -> Exporter:
    """The tool of this goal."""
    return Exporter(users)


# Names in onnxruntime's messages: `node with name 'node_view'`, `Name:'node_view'`, `Node (node_view) Op (Reshape)`.
_NAME = re.compile(r"[Nn](?:ame|ode):? ?['(]([^')]+)[')]")


def _named(model: Any, text: str) -> Any:
    """The first node of an ONNX model that a message names."""
    names = set(_NAME.findall(text))
    graphs = [model.graph, *model.functions.values()]
    return next((node for graph in graphs for node in graph.all_nodes() if node.name in names), None)


def _origin(node: Any, users: FrameClassifier) -> list[Frame]:
    return users.written(node.metadata_props.get("pkg.torch.onnx.stack_trace") or "")


class OnnxModel(Artefact):
    """An ONNX model that takes and returns what the exported program does."""

    def __init__(self, made: Any, users: FrameClassifier) -> None:
        super().__init__("onnx", made.exported_program, users)
        self._made = made
        made.initialize_inference_session()

    def module(self) -> _Call:
        """The model; it has no state that a call could change."""
        return _Call(self._made)

    def sizes(self) -> dict[int, list[int | str]]:
        """The shapes that the inputs of the ONNX model are declared with."""
        inputs = iter(self._made.model.graph.inputs)
        found: dict[int, list[int | str]] = {}
        for position, argument in enumerate(signature.user_inputs(self.exported)):
            if signature.is_constant(argument):
                continue
            declared = next(inputs, None)
            if declared is not None and position in kept(self.exported):
                found[position] = [size if isinstance(size, int) else str(size) for size in declared.shape]
        return found

    def lines_of(self, error: BaseException) -> list[Frame]:
        """The user's lines that made the ONNX node which onnxruntime names."""
        node = _named(self._made.model, describe(error))
        return _origin(node, self.users) if node is not None else []

    def forgotten(self, again: bool) -> Forgotten | None:
        """The buffers and inputs that the exported program writes: an ONNX model returns its outputs, and writes nothing."""
        kinds = {"BUFFER_MUTATION": "buffer", "USER_INPUT_MUTATION": "input"}
        return nodes.unkept(self.exported, kinds, self.users) if again else None

    def listing(self) -> Listing:
        """The nodes of the ONNX model, with those of its functions and of the branches of an `If`."""
        writer = Writer()
        versions = ", ".join(f"{name or 'opset'} {n}" for name, n in self._made.model.opset_imports.items())
        writer.line(f"# ONNX model, {versions}")
        graph = self._made.model.graph
        self._write(writer, graph.name or "main_graph", graph, 0)
        for function in self._made.model.functions.values():
            self._write(writer, f"{function.domain}::{function.name}", function, 0)
        return writer.listing()

    def _write(self, writer: Writer, name: str, graph: Any, depth: int) -> None:
        writer.function(name, map(_typed, graph.inputs), depth)
        for node in graph:
            graphs = {key: value for key, value in node.attributes.items() if value.type.name == "GRAPH"}
            for key, value in graphs.items():
                self._write(writer, key, value.value, depth + 1)
            keywords = {key: key if key in graphs else str(value.value) for key, value in node.attributes.items()}
            called = f"{node.domain}::{node.op_type}" if node.domain else node.op_type
            arguments = [value.name if value is not None else "None" for value in node.inputs]
            results = map(_typed, node.outputs)
            writer.node(results, called_with(called, arguments, keywords), _origin(node, self.users), depth + 1)
        writer.returned((value.name for value in graph.outputs), depth + 1)


def _typed(value: Any) -> str:
    """A value of an ONNX graph: its name, with type and shape where they are known."""
    shape = "" if value.shape is None else f"[{', '.join(map(str, value.shape))}]"
    return f'{value.name}: "{value.dtype.name}{shape}"' if value.dtype is not None else value.name


class _Call(Loaded):
    """Calls an ONNX model with the inputs of the exported program: what is a constant there is no input here."""

    def __init__(self, made: Any) -> None:
        self._made = made
        self._program = made.exported_program

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        inputs = signature.flat_inputs(self._program, args, kwargs)
        given = [
            value
            for value, argument in zip(inputs, signature.user_inputs(self._program))
            if not signature.is_constant(argument)
        ]
        return signature.restored(self._program, iter(self._made(*given)), self._as_torch)

    def _as_torch(self, argument: Any, value: Any) -> Any:
        """An output as the exported program returns it: ONNX has tensors for numbers, and pairs for complex ones."""
        torch: Any = sys.modules["torch"]
        if type(argument).__name__ != "TensorArgument":
            return value.item()
        node = next((node for node in self._program.graph.nodes if node.name == argument.name), None)
        like = node.meta.get("val") if node is not None else None
        complex_numbers = like is not None and like.is_complex() and not value.is_complex()
        return torch.view_as_complex(value.contiguous()) if complex_numbers else value
