"""Signatures of expressions, by walking straight-line code: the interpreter's values first, then the code's shape."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import count, pairwise
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Span
from exportdb_rules.interpreter.shape_tokens import parts_of
from exportdb_rules.rewrite.effort import kept_with, once
from exportdb_rules.rewrite.known.expressions import Environment, Expressions
from exportdb_rules.rewrite.known.liveness import arms
from exportdb_rules.rewrite.known.modules import definitions, submodules
from exportdb_rules.rewrite.known.names import names, parameters, targets
from exportdb_rules.rewrite.known.observed import of_value
from exportdb_rules.rewrite.known.signature import (
    UNKNOWN,
    Items,
    Number,
    Optional,
    Signature,
    TensorSignature,
    agree,
    join,
    leaves,
    not_none,
    numeric,
    storages,
)
from exportdb_rules.rewrite.known.supposed import Supposed, dict_keys
from exportdb_rules.rewrite.tree import below, dotted, index_of, statements
from exportdb_rules.torch_api import RESHAPING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.tree import Tree


class Inference(Expressions):
    """Signatures within one function. `known` holds those of nodes that a rewrite made itself; `origin` the node of
    the text that a changed one stands for."""

    def __init__(self, tree: Tree, context: FixContext, function: cst.FunctionDef, owner: cst.ClassDef | None) -> None:
        self.tree = tree
        self.context = context
        self.function = function
        self.owner = owner
        self.strict = False
        # Whether dynamic sizes of inputs, which tracing can decide by, count as what it cannot.
        self.sizes = False
        self.known: dict[cst.CSTNode, Signature] = {}
        self.origin: dict[cst.CSTNode, cst.CSTNode] = {}
        # Names that hold something else in the rewritten code than the interpreter saw in the old one.
        self.overridden: set[str] = set()
        self.rebound: set[str] = set()
        # Functions that a rewrite made of the function's own statements.
        self.functions: dict[str, cst.FunctionDef] = {}
        # Functions of the module.
        self.globals = definitions(tree.module).functions
        self.submodules = submodules(tree.module, owner)
        self.supposed = Supposed(self)
        self.numbers = _numbers(tree)
        self.asked = {}
        self.nested = 0
        self._reshapes = _mentions_reshaping(tree.text)

    def entry(self) -> Environment:
        """The signatures of the function's parameters."""
        env: Environment = {}
        for parameter in parameters(self.function):
            name = parameter.name.value
            value = self._of_parameter(parameter)
            if value is not None:
                env[name] = of_value(value, name, frozenset([name]), self.example_sizes)
        return env

    def _of_parameter(self, parameter: cst.Param) -> domain.Value | None:
        """What the interpreter says of a parameter, which stands with its annotation there."""
        first, last = self.tree.span(parameter.name), None
        if parameter.annotation is not None:
            last = self.tree.span(parameter.annotation.annotation)
        if first is None or last is None or parameter.name.value in self.overridden:
            return self.value(parameter.name)
        value = self.context.values.get(Span(first.start, last.end))
        return None if value is domain.TOP else value

    def before(self, path: Sequence[cst.CSTNode]) -> Environment:
        """The signatures of the local names when the last node of the path, a statement, begins."""
        known = self._walked()
        if self.function not in known:
            known[self.function] = self.entry()
        env = known[self.function]
        inside = path[list(path).index(self.function) :]
        for parent, child in pairwise(inside):
            if isinstance(parent, (cst.For, cst.While)) and child is parent.body:
                if child not in known:
                    known[child] = dict(env)
                    self._widen(parent, known[child])
                env = known[child]
            elif isinstance(parent, (cst.IndentedBlock, cst.SimpleStatementSuite)):
                if child not in known:
                    before = parent.body[: next(i for i, one in enumerate(parent.body) if one is child)]
                    start = next((i for i in range(len(before) - 1, -1, -1) if before[i] in known), 0)
                    known[child] = dict(known.get(before[start], env) if before else env)
                    self.run(before[start:], known[child])
                env = known[child]
        return dict(env)

    def _walked(self) -> dict[cst.CSTNode, Environment]:
        """The signatures of the local names where parts of the function begin, as far as they are known: each finding in it
        asks for them."""
        if self.known or self.origin or self.overridden:
            return {}  # it is not the code of the text any more
        walks, state = _walks(self.function), (self.owner, self.strict, self.sizes)
        values, known = walks.get(state, (None, None))
        if known is None or values is not self.context.values:
            known = {}
            walks[state] = (self.context.values, known)
        return known

    def run(self, block: Sequence[cst.CSTNode], env: Environment) -> list[tuple[cst.Return, Signature]]:
        """Walk statements, keeping `env` up to date; the returns that were met, with what they return."""
        returns: list[tuple[cst.Return, Signature]] = []
        for node in block:
            self.asked.clear()
            self._forget_reshaped(node, env)
            if isinstance(node, cst.SimpleStatementLine):
                returns += self.run(node.body, env)
            elif isinstance(node, cst.Return):
                returns.append((node, UNKNOWN if node.value is None else self.infer(node.value, env)))
            elif isinstance(node, cst.Assign):
                value = self.infer(node.value, env)
                for target in node.targets:
                    self.bind(target.target, value, env, node.value)
            elif isinstance(node, cst.AnnAssign):
                if node.value is not None:
                    self.bind(node.target, self.infer(node.value, env), env)
            elif isinstance(node, cst.AugAssign):
                self._augment(node, env)
            elif isinstance(node, cst.If):
                self.bind_test(node.test, env)
                returns += self._branch(node, env)
            elif isinstance(node, cst.With):
                for name in names(node.items).writes:
                    env.pop(name, None)
                returns += self.run(statements(node.body), env)
            elif isinstance(node, (cst.For, cst.While)):
                returns += self._loop(node, env)
            else:
                for name in names(node).writes:
                    env.pop(name, None)
            self._forget_reshaped(node, env)
        return returns

    def _forget_reshaped(self, node: cst.CSTNode, env: Environment) -> None:
        """Forget the sizes of tensors that the code gives other dimensions in place: `x.t_()`."""
        if not self._reshapes:
            return
        for call in below(node, cst.Call):
            if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in RESHAPING:
                continue
            receivers = [env.get(name, UNKNOWN) for name in names(call.func.value).reads]
            received = frozenset[str]().union(*(storages(known) for known in receivers))
            for name, known in list(env.items()):
                # Of a tensor that no name holds nobody knows which it is.
                if storages(known) & (received or storages(known)):
                    env[name] = self._fresh_shape(_reshaped(known))

    def bind_test(self, test: cst.BaseExpression, env: Environment) -> None:
        """Bind what a test binds: `if (n := x.sum()) > 0`."""
        for bound in below(test, cst.NamedExpr, outside=(cst.Lambda, cst.BaseComp)):
            self.infer(bound, env)

    def _branch(self, node: cst.If, env: Environment) -> list[tuple[cst.Return, Signature]]:
        taken, other = arms(node)
        settled = None if self.strict else self.value(node.test)
        if isinstance(settled, domain.Const):
            return self.run(taken if settled.value else other, env)
        env_taken, env_other = dict(env), dict(env)
        returns = self.run(taken, env_taken) + self.run(other, env_other)
        env.clear()
        for name in [name for name in env_taken if name in env_other]:
            env[name] = self._fresh_shape(self.joined(env_taken[name], env_other[name]))
        return returns

    def _loop(self, node: cst.For | cst.While, env: Environment) -> list[tuple[cst.Return, Signature]]:
        """Walk a loop; `env` then holds what the names are after no round or any number of them."""
        self._widen(node, env)
        head = dict(env)
        returns = self.run(statements(node.body), env)
        for name in names(node.body).writes & head.keys():
            env[name] = self._fresh_shape(self.joined(head[name], env.get(name, UNKNOWN)))
        return returns

    def _widen(self, node: cst.For | cst.While, env: Environment) -> None:
        """Give the names that a loop binds what they hold when any round of it begins; the storages they may share add up."""
        first = dict(env)
        written = names(node.body).writes
        if isinstance(node, cst.For):
            self._loop_targets(node, env)
        for name in written:
            env.pop(name, None)
        heads = {name.value for name in targets(node.target)} if isinstance(node, cst.For) else set[str]()
        bound = {k: v for k, v in env.items() if k not in first or k in heads}
        merged: Environment = {}
        outside = frozenset[str]().union(*map(storages, first.values()))
        # What counts from round to round counts for shapes too, and a storage is handed on by one name a round at least:
        # `a = b; b = c; c = d`.
        for _ in range(len(written) + 1):
            after = {**first, **bound}
            self.run(statements(node.body), after)
            both = sorted(written & first.keys() & after.keys())
            merged = {name: self.joined(first[name], after[name]) for name in both}
            if all(
                _same_size(first[name], known) and storages(known) & outside <= storages(first[name])
                for name, known in merged.items()
            ):
                break
            first |= merged
        else:
            merged = {name: _sizeless(known) for name, known in merged.items()}
        for name, known in merged.items():
            env[name] = known
            tensor = not_none(known)
            if isinstance(tensor, TensorSignature):
                rooted = TensorSignature(
                    tensor.dtype, tensor.shape, tensor.storages | {name}, tensor.maybe_noncontiguous
                )
                env[name] = self._fresh_shape(rooted) if known is tensor else Optional(self._fresh_shape(rooted))

    def _fresh_shape(self, value: Signature) -> Signature:
        """A value under a name: whatever its shape is, what is computed from it elementwise has the same."""
        if isinstance(value, TensorSignature) and value.shape is None and not self.strict:
            return replace(value, shape=("unknown", next(self.numbers)))
        return value

    def joined(self, a: Signature, b: Signature) -> Signature:
        """What holds of a value that is the one or the other: what something is added to keeps its shape."""
        merged = join(a, b)
        if not isinstance(merged, TensorSignature) or merged.shape is not None or self.strict:
            return merged
        if isinstance(a, TensorSignature) and isinstance(b, TensorSignature) and agree(a, b, presume=True):
            shape = b.shape if len(parts_of(a.shape)) > 1 else a.shape
            return TensorSignature(merged.dtype, shape, merged.storages, merged.maybe_noncontiguous, merged.observed)
        return merged

    def enter(self, clause: cst.CompFor, env: Environment) -> None:
        """Give the names that a comprehension binds the signatures of the elements."""
        self._loop_targets(clause, env)
        if clause.inner_for_in is not None:
            self.enter(clause.inner_for_in, env)

    def _loop_targets(self, node: cst.For | cst.CompFor, env: Environment) -> None:
        """Give the names that a loop binds the signatures of the elements, which may share what the loop goes over."""
        over = [node.iter]
        if isinstance(node.iter, cst.Call) and dotted(node.iter.func) in ("zip", "enumerate"):
            over = [arg.value for arg in node.iter.args]
        parts = [leaf for one in over for leaf in leaves(self.infer(one, dict(env)))]
        # The rows of a tensor are laid out as it is; those of what is not known, anyhow.
        loose = any(
            part.maybe_noncontiguous if isinstance(part, TensorSignature) else part == UNKNOWN for part in parts
        )
        shared = self.stored(node.iter, env)
        for name in targets(node.target):
            known = self.known_value(name) or UNKNOWN
            if isinstance(known, TensorSignature):
                known = replace(known, storages=shared, maybe_noncontiguous=loose)
            env[name.value] = known

    def bind(
        self, target: cst.CSTNode, value: Signature, env: Environment, given: cst.BaseExpression | None = None
    ) -> None:
        self.asked.clear()
        if isinstance(target, cst.Name):
            env[target.value] = self._fresh_shape(value)
        elif isinstance(target, cst.Subscript):
            self._put(target, value, env)
        elif isinstance(target, (cst.Tuple, cst.List)):
            items = value.items if isinstance(value, Items) and len(value.items) == len(target.elements) else None
            # The parts of one tensor, as `chunk` and `unbind` give them, share its storage.
            shared = None if given is None or _apart(given) else frozenset([self.tree.code(given)])
            for index, element in enumerate(target.elements):
                if items is not None and not isinstance(element, cst.StarredElement):
                    self.bind(element.value, self._shaped(items[index], element.value), env)
                else:
                    for name in targets(element.value):
                        known = self.known_value(name) or UNKNOWN
                        if shared is not None and isinstance(known, TensorSignature):
                            # Laid out anyhow, as `chunk` cuts it and a batch-first LSTM gives it.
                            known = TensorSignature(known.dtype, known.shape, shared, True, known.observed)
                        env[name.value] = known

    def _shaped(self, value: Signature, target: cst.BaseExpression) -> Signature:
        """What a target is given, of the shape that the interpreter saw there where the code says none."""
        seen = self.known_value(target)
        if not isinstance(value, TensorSignature) or value.shape is not None or not isinstance(seen, TensorSignature):
            return value
        return replace(value, shape=seen.shape, observed=seen.observed)

    def _put(self, target: cst.Subscript, value: Signature, env: Environment) -> None:
        """Give an item of a tuple, a list or a dict that a name holds another value."""
        name = target.value.value if isinstance(target.value, cst.Name) else ""
        known = env.get(name)
        if not isinstance(known, Items):
            return
        at = index_of(target)
        key = self.tree.code(target.slice[0].slice) if len(target.slice) == 1 else ""
        keys = dict_keys(known)
        at = keys.index(key) if key in keys else at if not keys else None
        for other in [other for other, held in env.items() if held is known and other != name]:
            env[other] = UNKNOWN
        if at is None or at >= len(known.items):
            env[name] = UNKNOWN
        else:
            env[name] = Items(known.kind, (*known.items[:at], value, *known.items[at + 1 :]))

    def _augment(self, node: cst.AugAssign, env: Environment) -> None:
        if not isinstance(node.target, cst.Name):
            if isinstance(node.target, cst.Subscript) and isinstance(node.target.value, cst.Name):
                before = self.infer(node.target, env)
                self._put(node.target, before if isinstance(before, TensorSignature) else UNKNOWN, env)
            return
        left, right = self.infer(node.target, env), self.infer(node.value, env)
        if isinstance(left, TensorSignature):
            # In place: dtype, shape and storage stay.
            return
        env[node.target.value] = (
            Number(floating=right.floating) if isinstance(left, Number) and isinstance(right, Number) else UNKNOWN
        )


@once
def _walks(
    function: cst.CSTNode,
) -> dict[tuple[object, ...], tuple[Mapping[Span, domain.Value], dict[cst.CSTNode, Environment]]]:
    """What is known of a function's local names, for the values that it holds for."""
    return {}


@kept_with
def _numbers(tree: Tree) -> Iterator[int]:
    """What tells fresh storages and unknown shapes in a text apart."""
    return count(1)


@lru_cache(maxsize=4)
def _mentions_reshaping(text: str) -> bool:
    """Whether a text may give a tensor other dimensions in place."""
    return any(f".{name}(" in text for name in RESHAPING)


# What gives several tensors, each in storage of its own.
_SEPARATE = frozenset(
    ("max", "min", "topk", "sort", "median", "mode", "kthvalue", "cummax", "cummin", "aminmax", "var_mean", "std_mean",
     "unique", "slogdet", "qr", "svd", "eigh", "frexp", "histogram")
)  # fmt: skip


def asked_for_none(test: cst.BaseExpression) -> tuple[str, bool]:
    """The name that a test asks whether it is None, and whether it is where the test holds; '' of any other test."""
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1 and isinstance(test.left, cst.Name):
        (link,) = test.comparisons
        if isinstance(link.operator, (cst.Is, cst.IsNot)) and dotted(link.comparator) == "None":
            return test.left.value, isinstance(link.operator, cst.Is)
    return "", False


def _same_size(a: Signature | None, b: Signature | None) -> bool:
    """Whether two values have the shape, or are the whole number, that the other has."""
    if isinstance(b, Optional):
        return isinstance(a, Optional) and _same_size(a.item, b.item)
    if isinstance(a, TensorSignature) and isinstance(b, TensorSignature):
        return numeric(a.shape) == numeric(b.shape)
    return not isinstance(a, Number) or not isinstance(b, Number) or a.size == b.size


def _sizeless(known: Signature) -> Signature:
    if isinstance(known, TensorSignature):
        return replace(known, shape=None)
    if isinstance(known, Optional):
        return Optional(_sizeless(known.item))
    return replace(known, size=None, code="") if isinstance(known, Number) else known


def _reshaped(known: Signature) -> Signature:
    """What is left of a value when a tensor in it was given other dimensions in place."""
    if isinstance(known, Optional):
        return Optional(_reshaped(known.item))
    return (
        TensorSignature(known.dtype, None, known.storages, maybe_noncontiguous=True)
        if isinstance(known, TensorSignature)
        else UNKNOWN
    )


def _apart(node: cst.BaseExpression) -> bool:
    """Whether an expression gives tensors that share no storage with one another."""
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _SEPARATE
