"""Whether the call of an export function fits the model: `args` the signature of `forward`, `dynamic_shapes` the inputs.

These are the checks that torch makes before it traces anything (torch/export/dynamic_shapes.py: `_combine_args`,
`_check_dynamic_shapes`, `_process_dynamic_shapes`), made on what the text says of the inputs. What the text does not say
is never a mismatch.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import ClassInfo, decorators, dotted, parameters_of
from exportdb_rules.dynamic_shapes import UNREAD, Dimension
from exportdb_rules.export_calls import ANYWHERE, Scope, export_calls, exported
from exportdb_rules.facts import TENSOR, ArgumentMismatch
from exportdb_rules.file_inputs import EXAMPLES, shown_model
from exportdb_rules.inputs import arguments
from exportdb_rules.interpreter.attributes import assigned_attributes
from exportdb_rules.lattice import Mapping, Sequence, contained
from exportdb_rules.shape_spec import NotRead, declared_as, is_new_form, read_spec
from exportdb_rules.terms import Term
from exportdb_rules.values import Const, Site, Static, Tensor, Value
from exportdb_rules.written_sizes import written_sizes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exportdb_rules.definitions import FunctionInfo
    from exportdb_rules.facts import MismatchKind
    from exportdb_rules.interpreter.machine import AnalysisState
    from exportdb_rules.project import Module
    from exportdb_rules.shape_spec import Spec

_EXPORTERS: Final = frozenset({"torch.export.export", "torch.export.draft_export"})
# Decorators that leave the signature of a function as it is.
_KEEP_SIGNATURE: Final = frozenset({"no_grad", "enable_grad", "inference_mode", "override"})


def argument_mismatches(run: AnalysisState, module: Module, calls: frozenset[int]) -> Iterator[ArgumentMismatch]:
    """What does not fit in the export calls of a file, and in the names that ExportDB's cases give to inputs.

    Args:
        calls: the calls, by identity, that run whatever happens, and are not expected to raise.
    """
    for call in export_calls(module):
        if id(call.node) in calls and run.project.resolve_expression(call.scope.names, call.node.func) in _EXPORTERS:
            target = exported(call.scope, call.model)
            yield from _Call(run, call.scope, target).mismatches(call.args, call.kwargs, call.dynamic_shapes)
    if "example_args" in module.scope:
        scope = Scope(module, ANYWHERE)
        args, kwargs, shapes = [b if isinstance(b := scope.binding(name), ast.expr) else None for name in EXAMPLES]
        shown = _Call(run, scope, shown_model(run.project, module), named_by_texts=module.mentions("onnx"))
        yield from shown.mismatches(args, kwargs, shapes)


@dataclass(slots=True)
class _Call:
    """One call of an export function; `sizes` are those that the example gives to named dimensions, `ranges` what is said of each
    name first, `written` the inputs as they are written, by parameter."""

    run: AnalysisState
    scope: Scope
    target: ClassInfo | FunctionInfo | None
    sizes: dict[str, int] = field(default_factory=dict[str, int])
    ranges: dict[str | None, Dimension] = field(default_factory=dict["str | None", Dimension])
    written: dict[str, ast.expr] = field(default_factory=dict[str, "ast.expr"])
    named_by_texts: bool = False
    """The exporter takes texts for names of dimensions, as that of ONNX does."""

    def mismatches(
        self, args: ast.expr | None, kwargs: ast.expr | None, shapes: ast.expr | None
    ) -> Iterator[ArgumentMismatch]:
        """What torch would refuse: what is wrong with the inputs, else with what is declared of them."""
        positional = None if args is None else self._value(args)
        if args is not None and (kind := _no_tuple(positional)):
            yield self._mismatch(args, "args-type", kind, ast.unparse(args))
            return
        if args is None or not isinstance(positional, Sequence) or positional.items is None:
            return
        named = Mapping() if kwargs is None else self._value(kwargs)
        forward = self._forward()
        if forward is None or not isinstance(named, Mapping) or named.element is not None:
            return
        problem = _unbound(forward, len(positional.items), named)
        if problem is not None:
            yield self._mismatch(args, "args-count", problem)
            return
        written = [args, *([] if kwargs is None else [kwargs])]
        yield from self._unwritable_keys(written)
        yield from self._same_tensors(written)
        if shapes is None:
            return
        if is_new_form(self.scope, shapes):
            yield self._mismatch(shapes, "new-form")  # in which an input without a `TensorSpec` is static
            return
        listed = self.scope.written_out(args)
        if isinstance(listed, (ast.Tuple, ast.List)):
            self.written = dict(zip(parameters_of(forward), listed.elts, strict=False))
        # In the order of the signature, as `inspect.Signature.bind` has them.
        given = arguments(forward, positional.items, {str(name): value for name, value in named.items.items()})
        spread = [
            argument.arg for argument in (forward.node.args.vararg, forward.node.args.kwarg) if argument is not None
        ]
        given = {name: value for name, value in given.items() if name not in spread or contained(value)}
        rest = "" if forward.node.args.kwarg is None else forward.node.args.kwarg.arg
        taken = given.get(rest)
        made = _is_made_of_inputs(self.scope.follow(shapes))
        try:
            spec = None if made else read_spec(self.scope, shapes)
        except NotRead:
            return
        if isinstance(taken, Mapping) and (made or spec):
            yield self._mismatch(shapes, "shapes-kwargs", rest, ", ".join(map(str, taken.items)))
        elif spec:
            yield from self._declared(given, spec, shapes)

    def _forward(self) -> FunctionInfo | None:
        if not isinstance(self.target, ClassInfo) or self.scope.names.file.mentions(".forward = "):
            return None  # somebody may give the model another one
        project = self.run.project
        found = self.target.find("forward", project)
        kept = found is not None and all(d.rpartition(".")[2] in _KEEP_SIGNATURE for d in found.decorators)
        classes = [cls for cls in self.target.mro(project) if isinstance(cls, ClassInfo)]
        chosen = any("forward" in assigned_attributes(method) for cls in classes for method in cls.methods.values())
        return found if kept and not chosen else None

    def _value(self, node: ast.expr) -> Value:
        return self.run.value_of(self.scope.names, self.scope.written_out(node))

    def _mismatch(self, node: ast.AST, kind: MismatchKind, *parts: str) -> ArgumentMismatch:
        return ArgumentMismatch(Site(self.scope.names.file, node), kind, parts)

    def _nesting(self, node: ast.expr, place: str, what: str, value: Value, spec: Spec) -> ArgumentMismatch:
        """An entry that is nested otherwise than the input; an entry of axes, or None, would do for each tensor in it."""
        of_axes = isinstance(spec, dict) and bool(spec) and all(isinstance(key, int) for key in spec)
        structure = _structure(value) if of_axes or spec is None else ""
        return self._mismatch(node, "shapes-none" if spec is None else "shapes-nesting", place, what, structure)

    def _unwritable_keys(self, nodes: Iterable[ast.expr]) -> Iterator[ArgumentMismatch]:
        """Keys of dicts whose `repr` is no expression: export names each input by the keys that lead to it, in code that it
        compiles (measured with torch 2.13: `SyntaxError`)."""
        for node in nodes:
            made = self.scope.follow(node)
            if isinstance(made, (ast.Tuple, ast.List)):
                yield from self._unwritable_keys(made.elts)
            elif isinstance(made, ast.Dict):
                for key in made.keys:
                    if key is not None and (shown := self._shown(self.scope.follow(key))):
                        yield self._mismatch(key, "key", ast.unparse(key), shown)
                yield from self._unwritable_keys(made.values)

    def _shown(self, key: ast.expr) -> str:
        """The `repr` of a member of an enum, of a class or of an object that has no `repr` of its own; nothing of another key."""
        project, names = self.run.project, self.scope.names
        named = project.resolve_expression(names, key.func if isinstance(key, ast.Call) else key)
        if isinstance(named, ClassInfo):
            if not isinstance(key, ast.Call):
                return f"<class '{named.name}'>"
            own = decorators(named.node) or named.external_bases(project) or named.find("__repr__", project) is not None
            return "" if own else f"<{named.name} object>"
        owner = project.resolve_expression(names, key.value) if isinstance(key, ast.Attribute) else None
        member = isinstance(owner, ClassInfo) and owner.is_enum(project) and owner.find("__repr__", project) is None
        return f"<{ast.unparse(key)}: …>" if member else ""

    def _same_tensors(self, nodes: list[ast.expr]) -> Iterator[ArgumentMismatch]:
        """Names of tensors that stand in the inputs more than once."""
        seen: set[str] = set()
        while nodes:
            node = nodes.pop(0)
            made = self.scope.follow(node)
            if isinstance(made, (ast.Tuple, ast.List)):
                nodes = [*made.elts, *nodes]
            elif isinstance(made, ast.Dict):
                nodes = [*made.values, *nodes]
            elif isinstance(node, ast.Name) and type(self._value(node)) is Tensor:
                first = self._first_name(node)
                if first in seen:
                    yield self._mismatch(node, "same-tensor", node.id)
                seen.add(first)

    def _first_name(self, node: ast.Name) -> str:
        """The name of a tensor that another one was given first: `q` of `k`, where `k = q`."""
        known = {node.id}
        while isinstance(bound := self.scope.binding(node.id), ast.Name) and bound.id not in known:
            known.add(bound.id)
            node = bound
        return node.id

    def _declared(self, given: dict[str, Value], spec: Spec, node: ast.expr) -> Iterator[ArgumentMismatch]:
        if isinstance(spec, dict):
            if any(not isinstance(key, str) or not key.isidentifier() for key in spec):
                return  # tensors are the keys of a ShapesCollection
            missing, unknown = (
                [name for name in given if name not in spec],
                [str(key) for key in spec if key not in given],
            )
            if missing or unknown:
                yield self._mismatch(node, "shapes-keys", ", ".join(missing), ", ".join(unknown))
                return
        elif isinstance(spec, list) and len(spec) != len(given):
            yield self._mismatch(node, "shapes-count", str(len(spec)), str(len(given)))
            return
        parts = (
            spec if isinstance(spec, dict) else dict(zip(given, spec, strict=True)) if isinstance(spec, list) else {}
        )
        for name, part in parts.items():
            yield from self._part(str(name), given[str(name)], part, _below(node, name, [*given].index(str(name))))

    def _part(self, place: str, value: Value, spec: Spec, node: ast.expr) -> Iterator[ArgumentMismatch]:
        """What does not fit of what is declared for one input, or a part of one."""
        if type(value) is Tensor and spec is not None:
            yield from self._tensor(place, value, spec, node)
        elif isinstance(value, Const) and spec is not None:
            # An int may be dynamic: `Dim.AUTO`, not a name.
            number = type(value.value) is int and isinstance(spec, ast.expr) and self._kind(spec) != "named"
            if not number:
                kind = "not-a-tensor" if spec else "empty-entry"
                yield self._mismatch(node, kind, place, repr(value.value))
        elif isinstance(value, Sequence) and value.items is not None:
            if not isinstance(spec, list) or len(spec) != len(value.items):
                yield self._nesting(node, place, f"a {value.type} of {len(value.items)}", value, spec)
                return
            if isinstance(node, _OTHER.get(value.type, ())):
                yield self._mismatch(node, "shapes-type", place, value.type)
                return
            for index, (part, inner) in enumerate(zip(value.items, spec, strict=True)):
                yield from self._part(f"{place}[{index}]", part, inner, _below(node, index, index))
        elif isinstance(value, Mapping) and value.element is None:
            if not isinstance(spec, dict) or {*spec} != {*value.items}:
                keys = ", ".join([repr(key) for key in value.items])
                yield self._nesting(node, place, f"a dict with the keys {keys}", value, spec)
                return
            for key, inner in spec.items():
                yield from self._part(f"{place}[{key!r}]", value.items[key], inner, _below(node, key, None))

    def _tensor(self, place: str, tensor: Tensor, spec: Spec, node: ast.expr) -> Iterator[ArgumentMismatch]:
        rank = tensor.rank
        if not isinstance(spec, (dict, list)) or any(isinstance(key, str) for key in spec if isinstance(spec, dict)):
            yield self._nesting(node, place, "a tensor", tensor, spec)
        elif rank is not None:
            if isinstance(spec, list) and len(spec) != rank:
                yield self._mismatch(node, "rank", place, str(len(spec)), str(rank))
                return
            for key, dim in spec.items() if isinstance(spec, dict) else enumerate(spec):
                if isinstance(dim, ast.expr):
                    axis = int(key)
                    yield from self._axis(place, tensor, rank, axis, dim, _below(node, axis, axis))

    def _axis(
        self, place: str, tensor: Tensor, rank: int, axis: int, dim: ast.expr, node: ast.expr
    ) -> Iterator[ArgumentMismatch]:
        kind = self._kind(dim)
        written = self.scope.follow(dim)
        if isinstance(written, ast.Constant) and isinstance(written.value, str) and not self.named_by_texts:
            yield self._mismatch(node, "text", f"{place}.shape[{axis}]", repr(written.value))
        elif not 0 <= axis < rank and kind is not None:
            yield self._mismatch(
                node, "negative-axis" if -rank <= axis < 0 else "axis", place, str(axis), str(rank), kind
            )
        elif 0 <= axis < rank and tensor.dims is not None and len(tensor.dims) == rank:
            size = tensor.dims[axis]
            if type(size) is Static and size.number is not None:
                yield from self._dimension(place, axis, size.number, dim, node)

    def _dimension(
        self, tensor: str, axis: int, size: int, dim: ast.expr, node: ast.expr
    ) -> Iterator[ArgumentMismatch]:
        """What does not fit of one dimension, which has `size` in the example."""
        place = f"{tensor}.shape[{axis}]"
        try:
            kind, declared = declared_as(self.scope, dim)
        except NotRead:
            return
        if kind is None:
            written = self.scope.follow(dim)
            if isinstance(written, ast.Constant) and type(written.value) is int and written.value != size:
                yield self._mismatch(node, "size", place, str(written.value), str(size))
            return
        if size < declared.low or (declared.high is not None and size > declared.high):
            most = "" if declared.high in (None, UNREAD) else str(declared.high)
            found = self._mismatch(node, "range", place, str(size), str(declared.low), most, declared.name or "")
            yield replace(found, size=self._written_size(tensor, axis, size))
        other = self.ranges.setdefault(declared.name, declared)
        if (
            kind == "named"
            and declared.name is not None
            and UNREAD not in (declared.high, other.high)
            and other != declared
        ):
            yield self._mismatch(node, "two-ranges", declared.name)
        if kind != "named" or declared.name is None or (term := Term.written(declared.name)) is None:
            return
        root = term.linear
        if root is None:
            return
        name, factor, rest = root
        known = self.sizes.get(name)
        if (size - rest) % factor or known not in (None, (size - rest) // factor):
            yield self._mismatch(
                node, "dim", place, str(size), declared.name, name, "" if known is None else str(known)
            )
        else:
            self.sizes[name] = (size - rest) // factor

    def _written_size(self, tensor: str, axis: int, size: int) -> ast.Constant | None:
        """Where a size of an input is written in the example."""
        made = self.written.get(tensor)
        sizes = [] if made is None else written_sizes(made)
        found = sizes[axis] if axis < len(sizes) else None
        return found if isinstance(found, ast.Constant) and found.value == size else None

    def _kind(self, node: ast.expr) -> str | None:
        try:
            return declared_as(self.scope, node)[0]
        except NotRead:
            return None


# How the entry of a list or a tuple is not written: torch compares the types.
_OTHER: Final = {"list": (ast.Tuple,), "tuple": (ast.List,)}


def _is_made_of_inputs(node: ast.expr) -> bool:
    """Whether a specification is made by a function of pytree's from the inputs: it has an entry for each."""
    return isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2].startswith("tree_map")


def _no_tuple(args: Value | None) -> str:
    """What `args` is, if it is known to be no tuple; else nothing."""
    if type(args) is Tensor:
        return "a tensor"
    if isinstance(args, Mapping):
        return "a dict"
    return "a list" if isinstance(args, Sequence) and args.type == "list" else ""


def _unbound(forward: FunctionInfo, count: int, named: Mapping) -> str | None:
    """Why arguments do not fit a signature, in the words of `inspect.Signature.bind`; None if they do."""
    spec = forward.node.args
    names = parameters_of(forward)
    if count > len(names) and spec.vararg is None:
        return f"`forward` takes {len(names)} positional argument{'s' * (len(names) != 1)}, but the call passes {count}"
    bare = names[: len(names) - len(spec.defaults)]
    required = [*bare[count:], *[a.arg for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is None]]
    missing = [name for name in required if name not in named.items]
    if missing:
        return f"`forward` requires {', '.join([f'`{name}`' for name in missing])}, but the call does not pass {'it' if len(missing) == 1 else 'them'}"
    known = {*names, *[a.arg for a in spec.kwonlyargs]}
    unknown = [str(name) for name in named.items if name not in known]
    if unknown and spec.kwarg is None:
        return f"`forward` has no parameter {', '.join([f'`{name}`' for name in unknown])}"
    twice = [name for name in names[:count] if name in named.items]
    return f"{', '.join([f'`{name}`' for name in twice])} is passed by position and by name" if twice else None


def _structure(value: Value) -> str:
    """The structure of an input as code, with `TENSOR` for each tensor in it and None for the rest; nothing where it is
    not known."""
    if type(value) is Tensor:
        return TENSOR
    if isinstance(value, Const):
        return "None"
    if isinstance(value, Sequence) and value.items is not None and value.type in ("list", "tuple"):
        parts = [_structure(item) for item in value.items]
        comma = "," if value.type == "tuple" and len(parts) == 1 else ""
        opened, closed = "[]" if value.type == "list" else "()"
        return f"{opened}{', '.join(parts)}{comma}{closed}" if all(parts) else ""
    if isinstance(value, Mapping) and value.element is None:
        named = {repr(key): _structure(item) for key, item in value.items.items()}
        return "{" + ", ".join([f"{key}: {part}" for key, part in named.items()]) + "}" if all(named.values()) else ""
    return ""


def _below(node: ast.expr, key: object, index: int | None) -> ast.expr:
    """The part of a specification as it is written: what a dict has under a key, or a tuple at an index; where it is built
    in another way, all of it."""
    if isinstance(node, ast.Dict):
        for written, value in zip(node.keys, node.values, strict=True):
            if written is not None and ast.unparse(written) == repr(key):
                return value
    elif isinstance(node, (ast.Tuple, ast.List)) and index is not None and 0 <= index < len(node.elts):
        spread = any(isinstance(part, ast.Starred) for part in node.elts)
        return node if spread else node.elts[index]
    return node
