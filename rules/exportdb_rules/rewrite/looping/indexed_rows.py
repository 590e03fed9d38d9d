"""Loops over `mask.nonzero()` whose rounds have nothing to do with each other, as one operation on all indices.

`for i in mask.nonzero(): total = total + x[i[0], i[1]]` adds up `x[rows[:, 0], rows[:, 1]]`; `out[i] = f(x[i])` writes
all rows at once, for an `f` that treats each by itself. Measured on torch 2.13, in both modes, with static and dynamic
sizes: indexing with a number of indices that depends on data exports, and so do sums over them and writes to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit
from exportdb_rules.no_fix import NoFix
from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.fix_site import new_name
from exportdb_rules.rewrite.known.liveness import contains, live_out
from exportdb_rules.rewrite.known.mutation import is_unaliased
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import SCALAR, Number, TensorSignature, floating
from exportdb_rules.rewrite.looping.loop_heads import enclosing_loop
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, integer, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Environment

TITLE: Final = "Replace the loop with one indexed operation"

# Modules that treat each row by itself.
_BY_ROW: Final = frozenset(
    """
    Linear ReLU ReLU6 LeakyReLU GELU SiLU ELU CELU SELU Sigmoid Tanh Softplus Softsign Mish Hardswish Hardsigmoid
    Hardtanh LayerNorm Identity
    """.split()
)
# Calls that make one dimension of the indices of a vector.
_FLAT: Final = {"flatten": ("",), "view": ("-1",), "reshape": ("-1",), "squeeze": ("1", "-1")}
_ARITHMETIC: Final = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide)


def _elementwise(name: str) -> bool:
    row = operator(name)
    return row.fresh and row.each


def rows_at_once(context: FixContext) -> tuple[Fix, ...]:
    """A loop over indices that adds up what stands there, or writes it, without the loop.

    `unsafe`: a sum over all rows is rounded in another way than one by one.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, _at_once)


def _at_once(place: FixSite) -> Iterable[Edit]:
    loop = enclosing_loop(place)
    if not isinstance(loop, cst.For) or loop.orelse is not None or contains(statements(loop.body), cst.Break, cst.Continue, cst.Return):  # fmt: skip
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain loop over rows")
    if any("#" in place.tree.code(s) for s in statements(loop.body)):
        raise FixNotApplicable(NoFix.SHARED_LINE, "comments would be lost")
    batch = _Batch(place, loop)
    lines = [line for statement in statements(loop.body) for line in batch.statement(statement)]
    if batch.bound & live_out(place.upto(loop), place.function) or not batch.effects:
        raise FixNotApplicable(
            NoFix.LOOP_NAME_USED_LATER, "a name that the last iteration binds is used after the loop"
        )
    span = place.tree.span(loop)
    assert span is not None
    indent = "\n" + " " * (span.start.column - 1)
    return (Edit(span, indent.join([f"{batch.rows} = {batch.source}", *lines])),)


class _Batch:
    """The body of a loop over indices, with a leading dimension for the rounds. `rows` names the indices."""

    def __init__(self, place: FixSite, loop: cst.For) -> None:
        self._place = place
        self._env: Environment = place.inference.before(place.upto(loop))
        first = statements(loop.body)[0]
        self._inside = place.inference.before((*place.upto(loop), loop.body, first))
        self.rows = new_name(place, "rows")
        self.source, flat = _indices(place, loop.iter)
        self.effects = 0
        # What names of the body stand for: the indices as a whole, one of them by its column, or a value of each round.
        self._whole: set[str] = set()
        self._columns: dict[str, str] = {}
        self._values: dict[str, tuple[set[str], list[tuple[str, str]]]] = {}
        # By which indices a value is picked.
        self._picked: set[str] = set()
        self._written: set[str] = set()
        # What is read, and at which indices.
        self._reads: list[tuple[str, str]] = []
        targets = _targets(loop.target)
        if isinstance(loop.target, cst.Name):
            (self._columns if flat else dict[str, str]()).update({targets[0]: self.rows})
            self._whole |= set() if flat else {targets[0]}
        elif flat:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported target")
        else:
            self._columns = {name: f"{self.rows}[:, {at}]" for at, name in enumerate(targets)}
        self.bound = {*targets}
        self._taken = names(loop.body).writes

    def statement(self, node: cst.BaseStatement) -> list[str]:
        """The lines that do in one what the statement does in every round."""
        small = node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else None
        if isinstance(small, cst.AugAssign) and isinstance(small.operator, cst.AddAssign):
            return self._added(small.target, small.value, in_place=True)
        if not isinstance(small, cst.Assign) or len(small.targets) != 1:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a statement that does something else")
        target, value = small.targets[0].target, small.value
        if isinstance(target, cst.Subscript):
            return self._stored(target, value)
        if isinstance(target, cst.Name) and target.value in self._env:
            if not isinstance(value, cst.BinaryOperation) or not isinstance(value.operator, cst.Add):
                raise FixNotApplicable(NoFix.LOOP_CARRIED, "what is carried is not added to")
            if dotted(value.left) != target.value:
                raise FixNotApplicable(NoFix.LOOP_CARRIED, "what is carried is not added to")
            return self._added(target, value.right, in_place=False)
        return self._local(target, value)

    def _local(self, target: cst.BaseExpression, value: cst.BaseExpression) -> list[str]:
        """`a, b = i`, `a = i[0]`, `row = x[i]`: names of one round."""
        targets = _targets(target)
        if self.bound & {*targets}:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a name is bound twice")
        self.bound |= {*targets}
        given = value.elements if isinstance(value, cst.Tuple) else None
        if isinstance(target, (cst.Tuple, cst.List)):
            if isinstance(value, cst.Name) and value.value in self._whole:
                columns = [f"{self.rows}[:, {at}]" for at in range(len(targets))]
            elif given is not None and len(given) == len(targets):
                columns = [self._column(e.value) for e in given]
            else:
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported target")
            self._columns.update(zip(targets, columns, strict=True))
            return []
        try:
            self._columns[targets[0]] = self._column(value)
        except FixNotApplicable:
            self._picked, self._reads = set(), []
            code = self._value(value)
            self._values[targets[0]] = (self._picked, self._reads)
            return [f"{targets[0]} = {code}"]
        return []

    def _added(self, target: cst.BaseExpression, value: cst.BaseExpression, *, in_place: bool) -> list[str]:
        self.effects += 1
        if isinstance(target, cst.Subscript):
            index, held = self._index(target), dotted(target.value)
            self._reads, self._picked = [], set()
            code = self._value(value)
            if any(self._shares(other, held) for other, _ in self._reads):
                raise FixNotApplicable(NoFix.LOOP_CARRIED, "an iteration may read what another wrote")
            if not self._picked:
                code = f"{held}.new_tensor({code})" if isinstance(value, (cst.Integer, cst.Float)) else ""
            if not code:
                raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known that a tensor is added")
            self._write(held, index)
            return [f"{held}.index_put_(({index},), {code}, accumulate=True)"]
        name = dotted(target)
        known = self._env.get(name)
        if not isinstance(target, cst.Name) or not isinstance(known, TensorSignature) or known.dtype is None:
            raise FixNotApplicable(NoFix.NOT_A_TENSOR, "what is added to is not a tensor")
        if not floating(known.dtype) or name in names(value).reads or name in self._written:
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "what is added to is read")
        if in_place and not is_unaliased(name, self._env, [self._place.function.body]):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "somebody else may see what is added in place")
        self._picked = set()
        code = self._value(value)
        if not self._picked:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the same is added in every iteration")
        if not in_place:
            self._refuse_grown(known, value)
        self._written.add(name)
        return [f"{name} {'+=' if in_place else f'= {name} +'} {_bracketed(code)}.sum(0)"]

    def _refuse_grown(self, known: TensorSignature, value: cst.BaseExpression) -> None:
        """Raises FixNotApplicable where a sum is sure to have another dtype or shape than what it begins with: with no round at all it
        would keep these."""
        total = self._place.inference.arithmetic(known, self._place.inference.infer(value, dict(self._inside)))
        other = (
            isinstance(total, TensorSignature) and None not in (total.dtype, known.dtype) and total.dtype != known.dtype
        )
        seen = self._place.inference.value(value)
        ranks = (
            {c.rank for c in lattice.choices(seen) if isinstance(c, domain.Tensor)} if seen is not None else set[None]()
        )
        grown = known.shape == SCALAR and not ranks & {None, 0} and bool(ranks)
        if other or grown:
            raise FixNotApplicable(NoFix.LOOP_CARRIED, "what is added to grows in the first iteration")

    def _stored(self, target: cst.Subscript, value: cst.BaseExpression) -> list[str]:
        self.effects += 1
        self._picked = set()
        index, held = self._index(target), dotted(target.value)
        into = set(self._picked)
        self._reads = []
        code = self._value(value)
        if not self._picked <= into:
            raise FixNotApplicable(NoFix.LOOP_CARRIED, "several iterations write to one element")
        if any(at != index and self._shares(other, held) for other, at in self._reads):
            raise FixNotApplicable(NoFix.LOOP_CARRIED, "an iteration may read what another wrote")
        self._write(held, index)
        return [f"{held}[{index}] = {code}"]

    def _shares(self, one: str, two: str) -> bool:
        """Whether two tensors may share their storage."""
        known = [self._env.get(name) for name in (one, two)]
        storages = [
            k.storages if isinstance(k, TensorSignature) else frozenset((n,))
            for k, n in zip(known, (one, two), strict=True)
        ]
        return one == two or bool(storages[0] & storages[1]) or not all(storages)

    def _write(self, held: str, index: str) -> None:
        known = self._env.get(held)
        if not isinstance(known, TensorSignature) or held in self._written:
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "what is written is not a local tensor")
        self._written.add(held)

    def _index(self, node: cst.Subscript) -> str:
        """The index of `x[i]`, `x[i[0], i[1]]`, `x[a, b]` for all rounds."""
        if not dotted(node.value):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an index into something without a name")
        parts = [e.slice for e in node.slice]
        first = parts[0]
        if len(parts) == 1 and isinstance(first, cst.Index) and self._is_whole(first.value):
            self._picked.add("*")
            if not isinstance(first.value, cst.Call):
                return self.rows
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an index of several dimensions")
        if not all(isinstance(p, cst.Index) and p.star is None for p in parts):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than an element is picked")
        return ", ".join([self._column(cst.ensure_type(p, cst.Index).value) for p in parts])

    def _is_whole(self, node: cst.BaseExpression) -> bool:
        return isinstance(node, cst.Name) and node.value in self._whole

    def _column(self, node: cst.BaseExpression) -> str:
        """One index of each round."""
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "item" and not node.args:  # fmt: skip
            node = node.func.value
        if isinstance(node, cst.Name) and node.value in self._columns:
            found = self._columns[node.value]
        elif isinstance(node, cst.Subscript) and self._is_whole(node.value) and len(node.slice) == 1:
            index = node.slice[0].slice
            at = integer(index.value) if isinstance(index, cst.Index) else None
            if at is None:
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an index that is computed")
            found = f"{self.rows}[:, {at}]"
        else:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not an index that the loop binds")
        self._picked.add(found)
        return found

    def _value(self, node: cst.BaseExpression) -> str:
        """The code of an expression for all rounds at once.

        Raises:
            FixNotApplicable: it may do more than to compute each round by itself.
        """
        code = self._plain(node)
        return f"({code})" if node.lpar else code

    def _plain(self, node: cst.BaseExpression) -> str:
        if isinstance(node, cst.Name) and node.value in self._values:
            picked, reads = self._values[node.value]
            self._picked |= picked
            self._reads += reads
            if any(self._shares(held, other) for held, _ in reads for other in self._written):
                raise FixNotApplicable(NoFix.LOOP_CARRIED, "what is read was written")
            return node.value
        if isinstance(node, cst.Subscript):
            held, index = dotted(node.value), self._index(node)
            if not self._tensor(node.value) or any(self._shares(held, other) for other in self._written):
                raise FixNotApplicable(NoFix.LOOP_CARRIED, "what is read was written")
            self._reads.append((held, index))
            return f"{held}[{index}]"
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _ARITHMETIC):
            operator = self._place.tree.code(node.operator)
            return f"{self._value(node.left)}{operator}{self._value(node.right)}"
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
            return f"-{self._value(node.expression)}"
        if isinstance(node, cst.Call):
            return self._called(node)
        return self._number(node)

    def _number(self, node: cst.BaseExpression) -> str:
        """Anything that is the same in every round, and has no dimensions that would meet those of the rounds."""
        read = names(node).reads
        if read & (self._taken | self.bound | self._written | {self.rows}):
            raise FixNotApplicable(NoFix.LOOP_CARRIED, "it changes between iterations")
        known = self._place.inference.infer(node, dict(self._env))
        if not isinstance(known, Number) and not (isinstance(known, TensorSignature) and known.shape == SCALAR):
            raise FixNotApplicable(NoFix.NOT_A_SCALAR, "it may be more than a scalar")
        return self._place.tree.code(node.with_changes(lpar=[], rpar=[]))

    def _called(self, node: cst.Call) -> str:
        name = dotted(node.func)
        if name.startswith("self.") and len(node.args) == 1 and node.args[0].keyword is None and not node.args[0].star:
            kind = self._place.inference.submodules.kind(name.removeprefix("self.")).rpartition(".")[2]
            if kind not in _BY_ROW:
                raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known what the module does with several rows")
            return f"{name}({self._value(node.args[0].value)})"
        if not isinstance(node.func, cst.Attribute) or not _elementwise(node.func.attr.value):
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known what is done with several rows")
        owner = dotted(node.func.value)
        of_torch = owner == self._place.torch or owner.endswith("functional") or owner == "F"
        args = [*node.args]
        first = args.pop(0) if of_torch and args else None
        if (of_torch and (first is None or first.keyword or first.star)) or any(a.star for a in args):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported call")
        rest = [f"{a.keyword.value}={self._number(a.value)}" if a.keyword else self._number(a.value) for a in args]
        if first is not None:
            return f"{owner}.{node.func.attr.value}({', '.join([self._value(first.value), *rest])})"
        return f"{_bracketed(self._value(node.func.value))}.{node.func.attr.value}({', '.join(rest)})"

    def _tensor(self, node: cst.BaseExpression) -> bool:
        value = self._place.inference.value(node)
        known = self._env.get(dotted(node))
        kinds = lattice.choices(value) if value is not None else ()
        return isinstance(known, TensorSignature) or (bool(kinds) and all(type(c) is domain.Tensor for c in kinds))


def _targets(target: cst.BaseExpression) -> list[str]:
    nodes = [e.value for e in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else [target]
    found = [n.value for n in nodes if isinstance(n, cst.Name)]
    if len(found) != len(nodes):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported target")
    return found


def _bracketed(code: str) -> str:
    plain = all(c.isalnum() or c in "_.[]:, " for c in code.replace("[:, ", "[")) and " + " not in code
    return code if plain else f"({code})"


def _indices(place: FixSite, node: cst.BaseExpression) -> tuple[str, bool]:
    """The code of the indices that a loop goes over, and whether each is one number.

    Raises:
        FixNotApplicable: they are no indices of what a mask marks, each of which comes once.
    """
    if _method(node) == "tolist":
        assert isinstance(node, cst.Call)
        node = cst.ensure_type(node.func, cst.Attribute).value
    code = place.tree.code(node)
    if _marked(place, node):
        return code, False
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and _marked(place, node.func.value):
        given = ", ".join([place.tree.code(a.value) for a in node.args])
        if given in _FLAT.get(_method(node), ()):
            return code, True
    if isinstance(node, cst.Subscript) and _each_dimension(place, node.value) and len(node.slice) == 1:
        index = node.slice[0].slice
        if isinstance(index, cst.Index) and integer(index.value) is not None:
            return code, True
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a loop over the indices of a mask")


def _method(node: cst.BaseExpression) -> str:
    return node.func.attr.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else ""


def _marked(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether an expression is `mask.nonzero()` or `torch.nonzero(mask)`."""
    if not isinstance(node, cst.Call) or _method(node) not in ("nonzero", "argwhere"):
        return False
    owner = cst.ensure_type(node.func, cst.Attribute).value
    return len(node.args) == (1 if dotted(owner) == place.torch else 0) and not any(a.keyword for a in node.args)


def _each_dimension(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether an expression is `torch.where(mask)` or `mask.nonzero(as_tuple=True)`: the indices, dimension by dimension."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return False
    codes = [f"{a.keyword.value if a.keyword else ''}:{dotted(a.value)}" for a in node.args]
    of_torch = dotted(node.func.value) == place.torch
    if _method(node) == "where":
        return of_torch and len(codes) == 1
    return _method(node) == "nonzero" and codes[-1:] == ["as_tuple:True"] and len(codes) == (2 if of_torch else 1)
