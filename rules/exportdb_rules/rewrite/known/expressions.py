"""Signatures of expressions: the interpreter's values first, then the code's shape."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.interpreter.shape_tokens import parts_of
from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.known.mutation import passes_on
from exportdb_rules.rewrite.known.names import names, parameters
from exportdb_rules.rewrite.known.observed import observed_signature, of_value
from exportdb_rules.rewrite.known.signature import (
    DEFAULT_FLOAT,
    NOTHING,
    SCALAR,
    UNKNOWN,
    AttributeShape,
    Dtype,
    Items,
    Number,
    Optional,
    Other,
    Signature,
    Sliced,
    TensorSignature,
    floating,
    join,
    not_none,
    numeric,
    spelled_dtype,
    storages,
    whole,
)
from exportdb_rules.rewrite.known.supposed import Supposed, item_of
from exportdb_rules.rewrite.tree import below, children, dotted
from exportdb_rules.torch_api import CASTS, PERMUTING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.modules import Submodules
    from exportdb_rules.rewrite.tree import Tree


Environment = dict[str, Signature]

_NAMESPACES = ("torch", "torch.nn.functional", "F", "nn.functional", "torch.special", "torch.linalg")


class Expressions(ABC):
    """What expressions of one function give. `known` holds the signatures of nodes that a rewrite made itself; `origin` the
    node of the text that a changed one stands for; `overridden` the names that hold something else in the rewritten code
    than the interpreter saw in the old one; `rebound` those of numbers that differ between the sides of a branch; `numbers`
    tells fresh storages and unknown shapes apart."""

    tree: Tree
    context: FixContext
    strict: bool
    known: dict[cst.CSTNode, Signature]
    origin: dict[cst.CSTNode, cst.CSTNode]
    overridden: set[str]
    rebound: set[str]
    function: cst.FunctionDef
    functions: dict[str, cst.FunctionDef]
    globals: Mapping[str, cst.FunctionDef]
    submodules: Submodules
    supposed: Supposed
    numbers: Iterator[int]
    # What parts of the expression at hand are, and how deep in it the question is.
    asked: dict[tuple[int, int], tuple[cst.CSTNode, Environment, Signature]]
    nested: int

    @abstractmethod
    def bind(
        self, target: cst.CSTNode, value: Signature, env: Environment, given: cst.BaseExpression | None = None
    ) -> None:
        """Give the names of a target the signatures of a value, which `given` computed."""

    def value(self, node: cst.CSTNode) -> domain.Value | None:
        """What the interpreter says of an expression of the text; None if nothing."""
        span = self.tree.span(self.origin.get(node, node))
        value = None if span is None else self.context.values.get(span)
        if self.overridden and names(node).reads & self.overridden and not self._stays(node, value):
            return None
        return None if value is None or value is domain.TOP else value

    def kinds(self, node: cst.CSTNode) -> Sequence[domain.Value]:
        """What an expression of the text may be, as the interpreter saw it; () where it says nothing."""
        value = self.value(node)
        return () if value is None else lattice.choices(value)

    def _stays(self, node: cst.CSTNode, value: domain.Value | None) -> bool:
        """Whether what a module makes of values is alike, whatever they are now."""
        return isinstance(node, cst.Call) and type(value) is domain.Tensor and self.module(node.func) is not None

    @property
    def example_sizes(self) -> Mapping[str, int] | None:
        """The sizes of the dynamic dimensions that may be presumed; None where nothing is."""
        return None if self.strict else self.context.sizes

    def is_tensor(self, node: cst.CSTNode) -> bool:
        """Whether the interpreter saw a tensor there, and nothing else."""
        kinds = self.kinds(node)
        return bool(kinds) and all(type(kind) is domain.Tensor for kind in kinds)

    def module(self, node: cst.CSTNode) -> domain.Instance | None:
        """The module that an expression gives: any of several of one class; None where it gives something else."""
        value = self.value(node)
        owner, _, name = dotted(node).rpartition(".")
        if value is None and owner == "self" and (given := parameters(self.function)):
            this = self.value(given[0].name)
            value = this.attributes.get(name) if isinstance(this, domain.Instance) else None
        found = lattice.choices(value or domain.TOP)
        modules = [one for one in found if isinstance(one, domain.Instance) and one.external.startswith("torch.nn.")]
        alike = len(modules) == len(found) and len({(one.external, one.cls) for one in modules}) == 1
        return modules[0] if alike else None

    def parts(self, node: cst.CSTNode) -> list[domain.Value]:
        """What the interpreter says of an expression and of all expressions in it."""
        value = self.value(node)
        found = [] if value is None else list(lattice.choices(value))
        return found + [part for child in children(node) for part in self.parts(child)]

    def known_value(self, node: cst.CSTNode) -> Signature | None:
        """The signature of what the interpreter says of an expression, taken to be floating for want of evidence."""
        value = self.value(node)
        if value is None:
            return None
        code = self.tree.code(node)
        return of_value(value, code, frozenset([code]), self.example_sizes)

    def fresh(self) -> frozenset[str]:
        """A storage that nothing else has."""
        return frozenset([f"#{next(self.numbers)}"])

    def infer(self, node: cst.BaseExpression, env: Environment) -> Signature:
        """The signature of an expression. What its parts are is asked again and again, and kept until it is known."""
        key = (id(node), id(env))
        kept = self.asked.get(key)
        if kept is not None:
            return kept[2]
        self.nested += 1
        try:
            found = self._inferred(node, env)
        finally:
            self.nested -= 1
            if not self.nested:
                self.asked.clear()
        if self.nested:
            self.asked[key] = (node, env, found)
        return found

    def _inferred(self, node: cst.BaseExpression, env: Environment) -> Signature:
        made = self.known.get(self.origin.get(node, node))
        if made is not None:
            return made
        mine = self._by_code(node, env)
        value = self.value(node)
        if isinstance(mine, (Items, Dtype)) or whole(mine) is not None:
            return mine
        computed = mine == UNKNOWN and (
            isinstance(self.infer(node.value, env), TensorSignature)
            if isinstance(node, cst.Attribute)
            else isinstance(node, _COMPUTED)
        )
        supposed = value is None and computed
        value = self.supposed.value(node, env) if supposed else value
        if value is None or value is domain.TOP:
            return mine
        code, stored = self.tree.code(node), self.stored(node, env)
        seen = observed_signature(value, code, stored, self.example_sizes, supposed=supposed)
        mine = not_none(mine)
        if computed and isinstance(seen, TensorSignature):
            seen = self._presumed(seen, node, value, env, known=supposed)
        if isinstance(mine, Number):
            return replace(mine, size=whole(seen))
        if not isinstance(seen, TensorSignature):
            # Laid out anyhow, as `chunk` cuts it and a batch-first LSTM gives it.
            name = self._operator(node, env)[0]
            loose = not operator(name).contiguous
            own = not self._passes_on(node)
            parts = self._parts(seen, value, loose=loose, own=own) if mine == UNKNOWN else mine
            named = name in _NAMED and isinstance(parts, Items)
            return replace(parts, kind=f"torch.return_types.{name}") if named and isinstance(parts, Items) else parts
        if self._apart(node, seen, value, env):
            seen = replace(seen, storages=self.fresh())
        if not isinstance(mine, TensorSignature):
            return replace(seen, maybe_noncontiguous=self._loose(node, value, env))
        sure = numeric(seen.shape) is not None or mine.shape is None
        return TensorSignature(
            mine.dtype if seen.dtype is None else seen.dtype,
            seen.shape if sure else mine.shape,
            mine.storages,
            mine.maybe_noncontiguous,
            seen.observed,
            value,
        )

    def _presumed(
        self, seen: TensorSignature, node: cst.BaseExpression, value: domain.Value, env: Environment, *, known: bool
    ) -> TensorSignature:
        """What follows from what is presumed of the parts, where the interpreter, which presumes nothing, does not know."""
        sizes = numeric(seen.shape)
        if (
            isinstance(node, cst.Subscript)
            and sizes is not None
            and isinstance(begin := node.slice[0].slice, cst.Slice)
        ) and (begin.lower is not None or begin.upper is not None or begin.step is not None):
            return replace(seen, shape=Sliced(sizes, self.tree.code(node)))
        if None not in (seen.dtype, seen.shape) and len(parts_of(seen.shape)) == 1:
            return seen
        dtype, shape = seen.dtype, seen.shape
        if not known:
            other = observed_signature(
                self.supposed.value(node, env), "", frozenset(), self.example_sizes, supposed=True
            )
            if isinstance(other, TensorSignature):
                dtype = other.dtype if dtype is None else dtype
                shape = shape if other.shape is None else other.shape
        base = self.infer(node.value, env) if shape is None and isinstance(node, cst.Subscript) else None
        if isinstance(node, cst.Subscript) and isinstance(base, TensorSignature) and base.shape is not None:
            # The rows that a mask picks, or a list of their places.
            index = ", ".join([self.tree.code(e.slice) for e in node.slice])
            if _owned(value) or self.stable(node.slice, env):
                shape = ("picked" if _owned(value) else "index", base.shape, index)
        return replace(seen, dtype=dtype, shape=shape)

    def stored(self, node: cst.BaseExpression, env: Environment) -> frozenset[str]:
        """The storages that the tensors in a value may share, where it may share any."""
        if isinstance(node, cst.Name):
            known = env.get(node.value)
            return storages(known) if isinstance(known, (TensorSignature, Items, Optional)) else frozenset([node.value])
        if dotted(node).startswith("self."):
            return frozenset([dotted(node)])
        if self._passes_on(node):
            return frozenset([self.tree.code(node)]).union(*map(storages, env.values()))
        base = node.func if isinstance(node, cst.Call) else node
        if isinstance(base, (cst.Attribute, cst.Subscript)):
            held = self.infer(base.value, env)
            if isinstance(held, (TensorSignature, Items)):
                return storages(held)
        parts = [part for part in children(node) if isinstance(part, cst.BaseExpression)]
        if isinstance(node, cst.Call):
            parts = [arg.value for arg in node.args]
        return frozenset([self.tree.code(node)]).union(*(storages(self.infer(part, env)) for part in parts))

    def _passes_on(self, node: cst.BaseExpression) -> bool:
        """Whether a function is called that stands in this one and may give a tensor that was there before."""
        name = dotted(node.func) if isinstance(node, cst.Call) else ""
        return any(f.name.value == name and passes_on(f) for f in below(self.function.body, cst.FunctionDef))

    def _apart(self, node: cst.BaseExpression, seen: TensorSignature, value: domain.Value, env: Environment) -> bool:
        """Whether a tensor has storage of its own."""
        if isinstance(node, cst.Name) or dotted(node).startswith("self.") or self._passes_on(node):
            return False
        name, receiver = self._operator(node, env)
        # Only where the dtype is sure to be another one, what is cast is sure to be another tensor.
        other = isinstance(receiver, TensorSignature) and receiver.dtype not in (None, DEFAULT_FLOAT, seen.dtype)
        if name and isinstance(receiver, TensorSignature):
            return operator(name).fresh or (name in CASTS and other)
        return (operator(name).fresh if name else False) or _owned(value)

    def _operator(self, node: cst.BaseExpression, env: Environment) -> tuple[str, Signature]:
        """The plain name of the operator of torch's that is called, and what it is a method of; '' where none is."""
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return "", UNKNOWN
        receiver = self.infer(node.func.value, env)
        known = isinstance(receiver, TensorSignature) or dotted(node.func.value) in _NAMESPACES
        return (node.func.attr.value if known else ""), receiver

    def _parts(self, seen: Signature, value: domain.Value, *, loose: bool, own: bool) -> Signature:
        """The tensors of a sequence that the interpreter saw; `own`: those that it saw made have storage of their own."""
        if isinstance(seen, Items) and isinstance(value, lattice.Sequence) and value.items is not None:
            parts = [self._parts(s, v, loose=loose, own=own) for s, v in zip(seen.items, value.items, strict=True)]
            return Items(seen.kind, tuple(parts))
        if not isinstance(seen, TensorSignature):
            return seen
        owned = own and _owned(value)
        return replace(
            seen,
            storages=self.fresh() if owned else seen.storages,
            maybe_noncontiguous=loose or not owned or _moved(value),
        )

    def _loose(self, node: cst.BaseExpression, value: domain.Value, env: Environment) -> bool:
        """Whether the strides of a tensor may be other than those of a contiguous one."""
        name, receiver = self._operator(node, env)
        if _moved(value) or (operator(name).fresh and not operator(name).contiguous):
            return True
        if _owned(value) and name not in CASTS:
            # What is computed number by number is laid out as the operands are.
            parts = [*children(node)] if isinstance(node, _BY_NUMBER) and not _multiplies(node) else []
            if isinstance(node, cst.Call) and operator(name).shape in ("same", "broadcast"):
                parts = [*children(node.func), *[arg.value for arg in node.args]]
            known = [self.infer(part, env) for part in parts if isinstance(part, cst.BaseExpression)]
            return any(isinstance(one, TensorSignature) and one.maybe_noncontiguous for one in known)
        if isinstance(node, cst.Subscript):
            base = self.infer(node.value, env)
            rows = [e.slice for e in node.slice]
            plain = all(isinstance(r, cst.Index) and isinstance(self.infer(r.value, env), Number) for r in rows)
            return not plain or not isinstance(base, TensorSignature) or base.maybe_noncontiguous
        return name in _SPREADING or not isinstance(receiver, TensorSignature) or receiver.maybe_noncontiguous

    def _by_code(self, node: cst.BaseExpression, env: Environment) -> Signature:
        """What the code alone says: names, literals, what is built of parts, and calls of functions that rewrites make."""
        if isinstance(node, cst.Name):
            return self._name(node, env)
        if isinstance(node, (cst.Integer, cst.Float)):
            return Number(
                node.value, isinstance(node, cst.Float), int(node.value, 0) if isinstance(node, cst.Integer) else None
            )
        if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
            return Other(self.tree.code(node))
        if isinstance(node, cst.UnaryOperation):
            operand = self.infer(node.expression, env)
            if not isinstance(node.operator, cst.Minus) or not isinstance(operand, Number) or operand.size is None:
                return UNKNOWN
            return replace(operand, code=f"-{operand.code}", size=-operand.size)
        if isinstance(node, (cst.Tuple, cst.List)):
            if any(isinstance(e, cst.StarredElement) for e in node.elements):
                return UNKNOWN
            kind = "tuple" if isinstance(node, cst.Tuple) else "list"
            return Items(kind, tuple([self.infer(e.value, env) for e in node.elements]))
        if isinstance(node, cst.Dict):
            return self._dict(node, env)
        if isinstance(node, cst.IfExp):
            return join(self.infer(node.body, env), self.infer(node.orelse, env))
        if isinstance(node, cst.NamedExpr):
            value = self.infer(node.value, env)
            self.bind(node.target, value, env)
            return value
        if isinstance(node, cst.Subscript):
            base = self.infer(node.value, env)
            return item_of(base, node.slice, self.tree) if isinstance(base, Items) else UNKNOWN
        if isinstance(node, cst.Attribute):
            return self._attribute(node, env)
        if isinstance(node, cst.Call):
            return self._call(node, env)
        return UNKNOWN

    def _dict(self, node: cst.Dict, env: Environment) -> Signature:
        """A dict whose keys are written out, each once; its kind holds them."""
        keys = [self.tree.code(e.key) for e in node.elements if isinstance(e, cst.DictElement)]
        plain = all(isinstance(e, cst.DictElement) and isinstance(e.key, cst.SimpleString) for e in node.elements)
        if not plain or len(set(keys)) != len(keys):
            return UNKNOWN
        return Items(f"dict {keys}", tuple([self.infer(e.value, env) for e in node.elements]))

    def _name(self, node: cst.Name, env: Environment) -> Signature:
        return NOTHING if node.value == "None" else env.get(node.value, UNKNOWN)

    def stable(self, nodes: Sequence[cst.CSTNode], env: Environment) -> bool:
        """Whether equal source of these arguments means equal values: they read nothing that changes."""
        found = names(nodes)
        return not (found.writes or found.reads & self.rebound) and all(
            not isinstance(env.get(n), TensorSignature) for n in found.reads
        )

    def _attribute(self, node: cst.Attribute, env: Environment) -> Signature:
        code, name = dotted(node), node.attr.value
        if code.startswith("torch.") and code.count(".") == 1 and (named := spelled_dtype(name)) is not None:
            return Dtype(named)
        base = self.infer(node.value, env)
        if isinstance(base, TensorSignature):
            return Dtype(base.dtype) if name == "dtype" and base.dtype is not None else UNKNOWN
        if isinstance(base, Items) and base.kind.startswith("torch.return_types.") and name in ("values", "indices"):
            return base.items[name == "indices"]
        value = self.value(node)
        if code and value is not None:
            found = of_value(value, code, frozenset([code]), self.example_sizes)
            if isinstance(found, TensorSignature) and found.shape != SCALAR:
                return replace(found, shape=AttributeShape(code, numeric(found.shape)))
            return found
        return UNKNOWN

    def _returned(self, function: cst.FunctionDef, node: cst.Call, env: Environment) -> Signature:
        """What a function that was made of statements of the text returns: the interpreter has seen it, whichever way led there.
        Of floating tensors it is a floating one, for want of evidence."""
        returned = [one.value for one in below(function, cst.Return)]
        found = reduce(join, [UNKNOWN if one is None else self.infer(one, {}) for one in returned])
        given = [self.infer(arg.value, env) for arg in node.args]
        floats = all(one.dtype is not None and floating(one.dtype) for one in given if isinstance(one, TensorSignature))
        known = not isinstance(found, TensorSignature) or found.dtype is not None or not floats
        return found if known else replace(found, dtype=DEFAULT_FLOAT)

    def _call(self, node: cst.Call, env: Environment) -> Signature:
        made = self.functions.get(node.func.value) if isinstance(node.func, cst.Name) else None
        return UNKNOWN if made is None else self._returned(made, node, env)


_COMPUTED = (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.Subscript, cst.Call)
# What gives values and indices under names.
_NAMED = frozenset(("sort", "topk", "cummax", "cummin", "max", "min", "median", "mode", "kthvalue"))
_BY_NUMBER = (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison)
_SPREADING = PERMUTING | {"expand", "expand_as", "broadcast_to"}


def _multiplies(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.MatrixMultiply)


def _owned(value: domain.Value) -> bool:
    """Whether a tensor shares its storage with none that was there before."""
    return not any(c.alias for c in lattice.choices(value) if isinstance(c, domain.Tensor))


def _moved(value: domain.Value) -> bool:
    return any(c.moves for c in lattice.choices(value) if isinstance(c, domain.Tensor))
