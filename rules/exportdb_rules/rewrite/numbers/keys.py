"""Numbers of a dict that a size or a number from data picks, as numbers of a tensor.

Measured on torch 2.13, in both modes: a symbol has no hash, so it is no key; `torch.tensor(keys) == n` compares it with
all keys, and the numbers can be picked by what was found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.fix_site import FixSite, always_computed, lines_before, new_name
from exportdb_rules.rewrite.known.mutation import is_pure
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, children, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Look the key up in a tensor"

_CHANGING: Final = frozenset(("update", "setdefault", "pop", "popitem", "clear", "__setitem__"))


def key_to_tensor(context: FixContext) -> tuple[Fix, ...]:
    """`table[n]` and `table.get(n, 1.0)` with a symbol `n`, of a dict from numbers to numbers that is written out.

    `unsafe`: what was a number is a tensor without dimensions, and a missing key is a RuntimeError.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, _looked_up)


def _looked_up(place: FixSite) -> Iterable[Edit]:
    whole, table, key, default = _lookup(place)
    _check_table(place, table, default)
    if not always_computed(place):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the dict is not always indexed")
    statement = place.statement()
    assert statement is not None
    if not is_pure(statement):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the statement has another side effect")
    _check_use(place, whole)
    code, torch, name = place.tree.code(key), place.torch, dotted(table)
    lines: list[str] = []
    if not isinstance(key, cst.Name):
        kept = new_name(place, "key")
        lines.append(f"{kept} = {code}")
        code = kept
    found = new_name(place, "found")
    lines.append(f"{found} = {torch}.tensor([*{name}], dtype={torch}.int64) == {code}")
    numbers = f"*{name}.values()"
    if default is None:
        lines.append(f'{torch}._assert_async({found}.any(), "no such key")')
    else:
        lines.append(f"{found} = {torch}.cat([{found}, {torch}.tensor([True])])")
        numbers += f", {place.tree.code(default)}"
    span = place.tree.span(whole)
    assert span is not None
    picked = f"{torch}.tensor([{numbers}])[{found}.int().argmax(0, keepdim=True)].squeeze(0)"
    return lines_before(place, lines), Edit(span, picked)


def _lookup(
    place: FixSite,
) -> tuple[cst.BaseExpression, cst.BaseExpression, cst.BaseExpression, cst.BaseExpression | None]:
    """The expression that looks up, the dict, the key, and what a missing key gives."""
    for node in reversed(place.path[-4:]):
        if isinstance(node, cst.Subscript) and len(node.slice) == 1:
            index = node.slice[0].slice
            if isinstance(index, cst.Index) and index.value is place.node and index.star is None:
                return node, node.value, index.value, None
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "get":
            given = [a.value for a in node.args if a.keyword is None and not a.star]
            if len(given) == 2 == len(node.args) and (node is place.node or given[0] is place.node):
                return node, node.func.value, given[0], given[1]
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "nothing is looked up")


def _check_table(place: FixSite, table: cst.BaseExpression, default: cst.BaseExpression | None) -> None:
    """Raises FixNotApplicable unless a dict is written out once, from integers to numbers of one kind, and never changed."""
    name = dotted(table)
    found = [value for value in _given(place, name) if value is not None] if name else []
    if len(found) != 1 or not isinstance(literal := found[0], cst.Dict):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the dict is not a literal")
    kinds: set[str] = set() if default is None else {_kind(default)}
    for element in literal.elements:
        if not isinstance(element, cst.DictElement) or _kind(element.key) != "int":
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a key is not an integer")
        kinds.add(_kind(element.value))
    if len(kinds) != 1 or not kinds <= {"int", "float"} or (default is None and not literal.elements):
        raise FixNotApplicable(NoFix.ELEMENTS_DIFFER, "the dict has more than numbers of one kind")
    for node in below(place.tree.module, cst.Subscript):
        if dotted(node.value).rpartition(".")[2] == name.rpartition(".")[2] and _is_target(place, node):
            raise FixNotApplicable(NoFix.CONTAINER_USE, "the dict is changed")
    for node in below(place.tree.module, cst.Attribute):
        if dotted(node.value) == name and node.attr.value in _CHANGING:
            raise FixNotApplicable(NoFix.CONTAINER_USE, "the dict is changed")


def _is_target(place: FixSite, node: cst.Subscript) -> bool:
    for holder in (cst.AssignTarget, cst.AugAssign, cst.Del):
        if any(holding.target is node for holding in below(place.tree.module, holder)):
            return True
    return False


def _given(place: FixSite, name: str) -> list[cst.BaseExpression | None]:
    """What a name or an attribute of self is given, wherever that is; None for anything but a plain assignment."""
    if name.startswith("self.") and name.count(".") == 1:
        scope: list[cst.CSTNode] = [place.owner] if place.owner is not None else []
        plain = name.removeprefix("self.")
        wanted = {name, f"cls.{plain}", *([f"{place.owner.name.value}.{plain}"] if place.owner is not None else [])}
        body = statements(place.owner.body) if place.owner is not None else []
        own = [n for s in body if isinstance(s, cst.SimpleStatementLine) for n in s.body]
        return [*_assigned(scope, wanted), *_assigned(own, {plain})]
    if "." in name:
        return [None]
    local = _assigned([place.function], {name})
    if local:
        return local
    top = [s for s in place.tree.module.body if isinstance(s, cst.SimpleStatementLine)]
    anywhere = _assigned([place.tree.module], {name})
    return anywhere if len(_assigned(top, {name})) == len(anywhere) else [None]


def _assigned(scope: Iterable[cst.CSTNode], wanted: set[str]) -> list[cst.BaseExpression | None]:
    found: list[cst.BaseExpression | None] = []
    for node in scope:
        if isinstance(node, cst.Assign):
            for target in node.targets:
                found += [node.value for _ in [1] if dotted(target.target) in wanted]
                inner = [e for e in below(target.target, cst.Element) if dotted(e.value) in wanted]
                found += [None for _ in inner]
        elif isinstance(node, (cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr)) and dotted(node.target) in wanted:
            found.append(node.value if isinstance(node, cst.AnnAssign) else None)
        elif isinstance(node, cst.Param) and node.name.value in wanted:
            found.append(None)
        found += _assigned(children(node), wanted)
    return found


def _kind(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        node = node.expression
    return "int" if isinstance(node, cst.Integer) else "float" if isinstance(node, cst.Float) else ""


def _check_use(place: FixSite, whole: cst.BaseExpression) -> None:
    """Raises FixNotApplicable unless the number goes into arithmetic with a tensor whose dtype it leaves alone."""
    parent = place.path[place.path.index(whole) - 1]
    if not isinstance(parent, cst.BinaryOperation) or isinstance(parent.operator, (cst.Power, cst.MatrixMultiply)):
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is used as a Python number")
    refuse_partner(place, parent.right if parent.left is whole else parent.left)


def refuse_partner(place: FixSite, other: cst.BaseExpression) -> None:
    """Raises FixNotApplicable unless an operand is a tensor whose dtype and digits a number of no dimensions leaves alone."""
    value = place.inference.value(other)
    kinds = lattice.choices(value) if value is not None else ()
    if not kinds or not all(type(c) is domain.Tensor for c in kinds):
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is used as a Python number")
    for kind in kinds:
        if isinstance(kind, domain.Tensor) and (kind.rank == 0 or kind.dtype == "float64"):
            raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "two tensors would promote to the wider dtype")
