"""`one_hot`, which wants a plain number of classes and else looks for it in the data, in forms that stay in the graph.

Measured on torch 2.13, in both modes: a comparison with `torch.arange(n)` exports for a number from data, where
`one_hot(t, n)` fails; `torch.zeros(*t.shape, n).scatter(…)` keeps a dynamic size that `one_hot(t, n)` freezes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.fix_site import always_computed, lines_before, new_name
from exportdb_rules.rewrite.known.mutation import is_pure
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

COUNTED: Final = "Compare with torch.arange"
CLASSES: Final = "Compare the labels with torch.arange"


def one_hot_of_labels(context: FixContext) -> tuple[Fix, ...]:
    """`F.one_hot(labels)` without the number of classes, which it looks for in the data, as a comparison.

    `unsafe`: a negative label raises no error any more.
    """
    return make_fix(context, COUNTED, Applicability.UNSAFE, _counted)


def _counted(place: FixSite) -> Iterable[Edit]:
    call, labels, classes = _call(place)
    if not isinstance(labels, cst.Name) or classes is not None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the labels have no name, or the number of classes is given")
    name = labels.value
    count = f"{place.torch}.arange({name}.max().item() + 1, device={name}.device)"
    return (place.tree.edit(call, f"({name}.unsqueeze(-1) == {count}).to({place.torch}.int64)"),)


def one_hot_of_symbol(context: FixContext) -> tuple[Fix, ...]:
    """`one_hot(labels, n)` with a number `n` from data, as a comparison of the labels with `torch.arange(n)`.

    `unsafe`: what it refuses of the labels is another RuntimeError.
    """
    return make_fix(context, CLASSES, Applicability.UNSAFE, _compared)


def _compared(place: FixSite) -> Iterable[Edit]:
    call, labels, classes = _call(place)
    if classes is None or not _of_type(place, classes, domain.Sym):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the number of classes is not a symbol")
    if not _of_type(place, labels, domain.Tensor):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the labels are no tensor")
    line = place.statement()
    if not always_computed(place) or line is None or not is_pure(line):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "it is not always computed, or the line has another side effect")
    lines: list[str] = []
    names: list[str] = []
    for node, wanted in ((labels, "labels"), (classes, "classes")):
        name = node.value if isinstance(node, cst.Name) else new_name(place, wanted)
        if not isinstance(node, cst.Name):
            lines.append(f"{name} = {place.tree.code(node)}")
        names.append(name)
    tensor, count = names
    torch = place.torch
    lines.append(f'{torch}._assert_async((({tensor} >= 0) & ({tensor} < {count})).all(), "a class is out of range")')
    code = f"({tensor}.unsqueeze(-1) == {torch}.arange({count}, device={tensor}.device)).long()"
    return lines_before(place, lines), place.tree.edit(call, code)


def one_hot_of_size(place: FixSite) -> Iterable[Edit]:
    """`one_hot(labels, n)` with a dynamic size `n`, as ones that `scatter` puts in their places.

    Raises:
        FixNotApplicable: the labels have no name, and may not be computed.
    """
    call, labels, classes = _call(place)
    if classes is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the number of classes is not given")
    name, size = place.tree.code(labels), place.tree.code(classes)
    before: tuple[Edit, ...] = ()
    if not dotted(labels):
        line = place.statement()
        if not always_computed(place) or line is None or not is_pure(line):
            raise FixNotApplicable(
                NoFix.EVALUATION_ORDER,
                "the classes have no name, and may not be computed, or the line has another side effect",
            )
        code, name = name, new_name(place, "classes")
        before = (lines_before(place, [f"{name} = {code}"]),)
    zeros = f"{place.torch}.zeros(*{name}.shape, {size}, dtype={place.torch}.long, device={name}.device)"
    return (*before, place.tree.edit(call, f"{zeros}.scatter(-1, {name}.unsqueeze(-1), 1)"))


def _call(place: FixSite) -> tuple[cst.Call, cst.BaseExpression, cst.BaseExpression | None]:
    """The call of `one_hot` at the place, its labels, and its number of classes if it is given."""
    for call in reversed(place.path):
        if isinstance(call, cst.Call) and _last_name(call.func) == "one_hot":
            break
    else:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call of one_hot")
    given = None if any(a.star for a in call.args) else arguments(call.args).by_name("tensor", "num_classes")
    labels = given.get("tensor", given.get("input")) if given is not None else None
    if given is None or labels is None or not given.keys() <= {"tensor", "input", "num_classes"}:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    return call, labels, given.get("num_classes")


def _last_name(node: cst.BaseExpression) -> str:
    return node.attr.value if isinstance(node, cst.Attribute) else dotted(node)


def _of_type(place: FixSite, node: cst.BaseExpression, kind: type[domain.Value]) -> bool:
    kinds = place.inference.kinds(node)
    return bool(kinds) and all(type(c) is kind for c in kinds)
