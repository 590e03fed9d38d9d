"""Loops over the rows of a mask that hold anything, as loops over all rows: the others find no place to write to.

    hit = (mask.sum(dim=(-1, -2)) > 0).nonzero()
    for i in hit:                                    # for i in range(mask.shape[0]):
        place, token = torch.where(mask[i].squeeze(0))       # mask[i : i + 1].squeeze(0)
        out.index_add_(0, token, self.experts[i](x[token]))

Measured on torch 2.13, in both modes: what `torch.where` finds in a row of zeros is empty, layers give no rows for none, and
`index_add_` of none changes nothing. How many rows there are is not data: it is a size of the mask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Position, Span
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.edits import lines_of
from exportdb_rules.rewrite.known.liveness import contains, live_in, live_out
from exportdb_rules.rewrite.known.mutation import is_pure, side_effects
from exportdb_rules.rewrite.known.names import names, targets
from exportdb_rules.rewrite.looping.loop_heads import enclosing_loop
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, index_of, integer, occurrences, only_statement, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Iterate over all mask rows instead of only the non-empty ones"

# What keeps numbers that are not negative so, and zeros zero.
_KEEPING: Final = frozenset(
    ("permute", "transpose", "movedim", "t", "to", "int", "long", "float", "bool", "contiguous", "detach")
)
_NUMBER: Final = frozenset(("item", "squeeze", "flatten"))


def every_row(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a loop over `(mask.sum(…) > 0).nonzero()` whose rounds do nothing for a row of zeros.

    `unsafe`: layers are called for no rows at all.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, _every_row)


def _every_row(place: FixSite) -> Iterable[Edit]:
    loop = enclosing_loop(place)
    if not isinstance(loop, cst.For) or loop.orelse is not None or not isinstance(loop.target, cst.Name):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain loop over rows")
    if place.tree.mentions("BatchNorm"):
        raise FixNotApplicable(NoFix.EMPTY_SELECTION, "a layer may refuse to work on no rows")
    mask, flat = _hit(place, loop.iter)
    # A name is a row of indices first; a number where the loop goes over numbers, or once it is taken out of its row.
    kinds = {loop.target.value: not flat}
    rounds = _Round(place, mask, kinds)
    body = statements(loop.body)
    for statement in body:
        rounds.statement(statement)
    written = names(loop.body).writes
    if not rounds.effects or written & live_out(place.upto(loop), place.function):
        raise FixNotApplicable(
            NoFix.LOOP_NAME_USED_LATER, "a name that the last iteration binds is used after the loop"
        )
    if written & live_in(body, frozenset()) - {loop.target.value} or written & {mask, *rounds.effects}:
        raise FixNotApplicable(NoFix.LOOP_CARRIED, "an iteration goes on from the one before")
    span = place.tree.span(loop.iter)
    assert span is not None
    return [Edit(span, f"range({mask}.shape[0])"), *rounds.edits]


def _hit(place: FixSite, node: cst.BaseExpression) -> tuple[str, bool]:
    """The mask whose rows are gone over, and whether their indices come as numbers."""
    node, flat = _value(place, node), False
    if isinstance(node, cst.Call) and _method(node) in ("flatten", "view", "reshape", "squeeze") and _flattens(node):
        node, flat = _value(place, cst.ensure_type(node.func, cst.Attribute).value), True
    found: cst.BaseExpression | None = None
    if isinstance(node, cst.Call) and _method(node) == "nonzero" and isinstance(node.func, cst.Attribute):
        of_torch = dotted(node.func.value) == place.torch
        if len(node.args) == (1 if of_torch else 0) and not any(a.keyword for a in node.args):
            found = node.args[0].value if of_torch else node.func.value
    if found is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a loop over the rows of a mask that hold something")
    mask = _reduced(place, _value(place, found))
    span = place.tree.span(found)
    made = [place.tree.span(value) for value in _values(place, mask)]
    if span is None or any(one is None or span.start < one.end for one in made):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the mask is another one at that point")
    if mask in side_effects(statements(place.function.body)).names:
        raise FixNotApplicable(NoFix.ALIASED_WRITE, "the mask is written in place")
    if not _not_negative(place, mask):
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "the mask may hold numbers that make up for one another")
    return mask, flat


def _bound(target: cst.CSTNode) -> set[str]:
    return {name.value for name in targets(target)}


def _value(place: FixSite, node: cst.BaseExpression) -> cst.BaseExpression:
    """What a name stands for, where it is bound once."""
    values = _values(place, node.value) if isinstance(node, cst.Name) else []
    return values[0] if len(values) == 1 else node


def _values(place: FixSite, name: str) -> list[cst.BaseExpression]:
    """All that a name is bound to, none where it is bound in another way than by a plain assignment."""
    found: list[cst.BaseExpression] = []
    for node in below(place.function.body, cst.CSTNode):
        if isinstance(node, cst.Assign) and any(name in _bound(t.target) for t in node.targets):
            if len(node.targets) != 1 or not isinstance(node.targets[0].target, cst.Name):
                return []
            found.append(node.value)
        elif isinstance(node, (cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For)) and name in _bound(node.target):
            return []
    return found


def _method(node: cst.BaseExpression) -> str:
    return node.func.attr.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else ""


def _flattens(node: cst.Call) -> bool:
    code = ",".join("-1" if isinstance(a.value, cst.UnaryOperation) else str(integer(a.value)) for a in node.args)
    return code in {"flatten": ("",), "squeeze": ("-1", "1")}.get(_method(node), ("-1",))


def _reduced(place: FixSite, node: cst.BaseExpression) -> str:
    """The name of the mask of `mask.sum(dim=…) > 0`, `torch.greater(mask.sum(…), 0)`, `mask.any(…)`: one number a row."""
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        only = node.comparisons[0]
        if not isinstance(only.operator, (cst.GreaterThan, cst.NotEqual)) or integer(only.comparator) != 0:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a condition other than whether any element is set")
        node = node.left
    elif _method(node) in ("greater", "gt", "ne", "not_equal"):
        call = cst.ensure_type(node, cst.Call)
        owner = cst.ensure_type(call.func, cst.Attribute).value
        operands = (
            [a.value for a in call.args] if dotted(owner) == place.torch else [owner, *(a.value for a in call.args)]
        )
        if len(operands) != 2 or integer(operands[1]) != 0:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a condition other than whether any element is set")
        node = operands[0]
    node = _value(place, node)
    if not isinstance(node, cst.Call) or _method(node) not in ("sum", "any", "count_nonzero") or len(node.args) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the rows are not summed up")
    whole = cst.ensure_type(node.func, cst.Attribute).value
    rank, dimensions = _rank(place, whole), _dimensions(node.args[0])
    if not isinstance(whole, cst.Name) or rank is None or sorted(d % rank for d in dimensions) != list(range(1, rank)):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known that what is left are the rows")
    return whole.value


def _rank(place: FixSite, node: cst.BaseExpression) -> int | None:
    """How many dimensions a tensor has: as the interpreter saw it, or as it was permuted."""
    value = place.inference.value(node)
    ranks = (
        {c.rank if type(c) is domain.Tensor else None for c in lattice.choices(value)} if value is not None else {None}
    )
    if len(ranks) == 1 and None not in ranks:
        return ranks.pop()
    values = _values(place, dotted(node))
    last = values[-1] if values else None
    if isinstance(last, cst.Call) and _method(last) == "permute" and not any(a.keyword or a.star for a in last.args):
        only = last.args[0].value
        return len(only.elements) if isinstance(only, cst.Tuple) else len(last.args)
    return None


def _dimensions(arg: cst.Arg) -> list[int]:
    if arg.keyword is not None and arg.keyword.value not in ("dim", "axis"):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported sum")
    nodes = [e.value for e in arg.value.elements] if isinstance(arg.value, (cst.Tuple, cst.List)) else [arg.value]
    found: list[int] = []
    for node in nodes:
        negative = isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus)
        number = integer(node.expression if isinstance(node, cst.UnaryOperation) and negative else node)
        if number is None:
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "a dimension that is computed")
        found.append(-number if negative else number)
    return found


def _not_negative(place: FixSite, name: str) -> bool:
    """Whether a name holds marks: what `one_hot` and comparisons give, in any order of dimensions."""
    values = _values(place, name)
    for value in values:
        node = value
        while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and _method(node) in _KEEPING:
            node = node.func.value
        marks = isinstance(node, cst.Comparison) or _method(node) == "one_hot" or dotted(node) == name
        if not marks and not (isinstance(node, cst.Call) and dotted(node.func) == "one_hot"):
            return False
    return bool(values)


class _Round:
    """The body of the loop, statement by statement. `kinds` says of each name for the index whether it is a row of it."""

    def __init__(self, place: FixSite, mask: str, kinds: dict[str, bool]) -> None:
        self._place = place
        self._mask = mask
        self._kinds = kinds
        # Names of the places where a row of the mask holds something: none for a row of zeros.
        self._places: set[str] = set()
        self.effects: set[str] = set()
        self.edits: list[Edit] = []

    def statement(self, node: cst.BaseStatement) -> None:
        if isinstance(node, cst.If):
            self._passing(node)
            return
        small = only_statement([node])
        if isinstance(small, cst.Assign) and len(small.targets) == 1:
            self._assigned(small, small.targets[0].target, small.value)
        elif isinstance(small, cst.AugAssign) and isinstance(small.target, cst.Subscript):
            self._stored(small.target)
            self._uses(small)
        elif isinstance(small, cst.Expr) and _method(small.value) == "index_add_":
            call = cst.ensure_type(small.value, cst.Call)
            owner, args = cst.ensure_type(call.func, cst.Attribute).value, call.args
            if len(args) < 3 or any(a.keyword or a.star for a in args) or dotted(args[1].value) not in self._places:
                raise FixNotApplicable(
                    NoFix.EMPTY_SELECTION, "it is not known that nothing is added for a row of zeros"
                )
            self._effect(owner)
            self._uses(small)
        else:
            raise FixNotApplicable(NoFix.EMPTY_SELECTION, "a statement that may do something for a row of zeros")

    def _passing(self, node: cst.If) -> None:
        """`if i == …: continue`, which Python decides afterwards."""
        last = statements(node.body)
        if node.orelse is not None or len(last) != 1 or not contains(last, cst.Continue):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a branch in the loop body")
        if not isinstance(node.test, cst.Comparison) or dotted(node.test.left) not in self._kinds:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a branch in the loop body")
        self._uses(node.test, compared=True)

    def _assigned(self, node: cst.Assign, target: cst.BaseExpression, value: cst.BaseExpression) -> None:
        if isinstance(target, cst.Subscript):
            self._stored(target)
            self._uses(node)
            return
        if not is_pure(cst.SimpleStatementLine([node])) or side_effects([value]).names:
            raise FixNotApplicable(NoFix.EMPTY_SELECTION, "a statement that may do something for a row of zeros")
        number = self._number(value)
        if number is not None and isinstance(target, cst.Name):
            self._kinds[target.value] = False
            span = self._place.tree.span(value)
            assert span is not None
            row = Span(Position(span.start.row, 1), Position(span.end.row + 1, 1))
            alone = target.value == number and "#" not in lines_of(self._place.tree.text).line(span.start.row)
            self.edits.append(Edit(row, "") if alone else Edit(span, number))
            return
        self._uses(value)
        mine = _bound(target)
        self._places -= mine
        for name in mine & self._kinds.keys():
            del self._kinds[name]
        if self._found(value):
            self._places |= mine

    def _number(self, node: cst.BaseExpression) -> str | None:
        """The name of the index that is taken out of its row: `i[0]`, `i.item()`, `int(i)`."""
        inner: cst.BaseExpression | None = None
        if isinstance(node, cst.Subscript) and index_of(node) == 0:
            inner = node.value
        elif isinstance(node, cst.Call) and _method(node) in _NUMBER and not node.args:
            inner = cst.ensure_type(node.func, cst.Attribute).value
        elif isinstance(node, cst.Call) and dotted(node.func) == "int" and len(node.args) == 1:
            inner = node.args[0].value
        name = dotted(inner) if inner is not None else ""
        return name if name in self._kinds else None

    def _found(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is `torch.where(mask[i])`, or one part of it."""
        if isinstance(node, cst.Subscript) and index_of(node) is not None:
            node = node.value
        if not isinstance(node, cst.Call) or _method(node) not in ("where", "nonzero"):
            return False
        owner = cst.ensure_type(node.func, cst.Attribute).value
        of_torch = dotted(owner) == self._place.torch
        if _method(node) == "where" and (not of_torch or len(node.args) != 1):
            return False
        row = node.args[0].value if of_torch and node.args else owner
        while isinstance(row, cst.Call) and _method(row) in ("squeeze", "bool"):
            row = cst.ensure_type(row.func, cst.Attribute).value
        only = row.slice[0].slice if isinstance(row, cst.Subscript) and len(row.slice) == 1 else None
        return (
            isinstance(row, cst.Subscript)
            and dotted(row.value) == self._mask
            and isinstance(only, cst.Index)
            and dotted(only.value) in self._kinds
        )

    def _stored(self, target: cst.Subscript) -> None:
        first = target.slice[0].slice
        if not isinstance(first, cst.Index) or dotted(first.value) not in self._places:
            raise FixNotApplicable(NoFix.EMPTY_SELECTION, "it is not known that nothing is written for a row of zeros")
        self._effect(target.value)

    def _effect(self, owner: cst.BaseExpression) -> None:
        if not isinstance(owner, cst.Name):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "what is written has no name")
        self.effects.add(owner.value)

    def _uses(self, node: cst.CSTNode, *, compared: bool = False) -> None:
        """Edits for the uses of the index: it is a number now."""
        for name, row in self._kinds.items():
            for path in occurrences(node, name):
                if compared and isinstance(path[-2], cst.Comparison):
                    if row:
                        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a row of indices is compared")
                    continue
                self._used(path, name, row=row)

    def _used(self, path: tuple[cst.CSTNode, ...], name: str, *, row: bool) -> None:
        at = len(path) - 1
        number = False
        while at > 0 and isinstance(path[at - 1], (cst.Attribute, cst.Arg, cst.Call, cst.Subscript)):
            outer = path[at - 1]
            if isinstance(outer, cst.BaseExpression) and self._number(outer) == name:
                number = True
                at -= 1
                span = self._place.tree.span(outer)
                assert span is not None
                self.edits.append(Edit(span, name))
                break
            if not isinstance(outer, (cst.Attribute, cst.Arg)):
                break
            at -= 1
        if at < 3 or not isinstance(path[at - 1], cst.Index) or not isinstance(path[at - 3], cst.Subscript):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the index is used for more than to pick")
        subscript = cst.ensure_type(path[at - 3], cst.Subscript)
        if not row or number or not self._tensor(subscript.value):
            return
        if len(subscript.slice) != 1:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than a row is picked")
        span = self._place.tree.span(path[at])
        assert span is not None
        # A row of indices keeps the dimension.
        self.edits.append(Edit(span, f"{name} : {name} + 1"))

    def _tensor(self, node: cst.BaseExpression) -> bool:
        """Whether something is a tensor; Raises FixNotApplicable where that is not known."""
        value = self._place.inference.value(node)
        kinds = {type(c) is domain.Tensor for c in lattice.choices(value)} if value is not None else set[bool]()
        if len(kinds) != 1:
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known what is picked from")
        return kinds.pop()
