"""Gradients that `while_loop` would lose.

Measured on torch 2.13: what is carried gets the gradients of all rounds only where it wants some before the first one; else
those of all rounds but the last are lost without a word. A model with parameters in the loop would then train otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.known.names import names, targets
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.rewrite.fix_site import FixSite

# Layers of torch.nn without parameters.
_WITHOUT: Final = frozenset(
    """
    ReLU ReLU6 GELU SiLU Tanh Sigmoid Softmax LogSoftmax LeakyReLU ELU CELU SELU Softplus Softsign Hardswish Hardsigmoid
    Hardtanh Mish Identity Dropout Dropout1d Dropout2d Dropout3d AlphaDropout Flatten Unflatten MaxPool1d MaxPool2d MaxPool3d
    AvgPool1d AvgPool2d AvgPool3d AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d
    Upsample ZeroPad2d ConstantPad1d ConstantPad2d ReflectionPad2d CosineSimilarity PairwiseDistance PixelShuffle
    """.split()
)


def refuse_lost_gradients(place: FixSite, loop: cst.While | cst.For, carried: Sequence[str]) -> None:
    """Raises FixNotApplicable where parameters are read in a loop, and something that it carries wants no gradient before it."""
    if without_gradients(place):
        return
    inside = list(below(loop.body, cst.Assign))
    added = list(below(loop.body, cst.AugAssign))
    span = place.tree.span(loop)
    before = [a for a in below(place.function.body, cst.Assign) if _is_before(place, a, span)]
    first = _reached(place, before, [], frozenset())
    reached = _reached(place, inside, added, first)
    lost = [name for name in carried if name in reached - first and _is_floating(place, name, [*inside, *before])]
    if lost:
        raise FixNotApplicable(
            NoFix.GRADIENT_LOST,
            f"{lost[0]} requires no gradient before the loop: those of its parameters would be lost",
        )


def _is_before(place: FixSite, node: cst.CSTNode, span: object) -> bool:
    where = place.tree.span(node)
    return where is not None and span is not None and where < span  # type: ignore[operator]  # pyright: ignore


def without_gradients(place: FixSite) -> bool:
    """Whether no gradient is wanted around the place."""
    return any(stops_gradients(node, place.torch) for node in place.path)


def stops_gradients(node: cst.CSTNode, torch: str) -> bool:
    """Whether a `with`, or a decorator of a function, says that no gradient is wanted; `torch` is what the file calls that."""
    made: list[cst.BaseExpression] = []
    if isinstance(node, cst.With):
        made = [item.item for item in node.items if isinstance(item.item, cst.Call)]
    elif isinstance(node, cst.FunctionDef):
        made = [decorator.decorator for decorator in node.decorators]
    wanted = {f"{torch}.no_grad", f"{torch}.inference_mode", "no_grad", "inference_mode"}
    return any(dotted(one.func if isinstance(one, cst.Call) else one) in wanted for one in made)


def _reached(
    place: FixSite, assigns: Iterable[cst.Assign], added: Iterable[cst.AugAssign], known: frozenset[str]
) -> frozenset[str]:
    """The names that parameters flow into."""
    found = set(known)
    pairs = [(name.value, a.value) for a in assigns for t in a.targets for name in targets(t.target)]
    pairs += [(dotted(a.target), a.value) for a in added]
    pairs += [
        (dotted(t.target.value), a.value) for a in assigns for t in a.targets if isinstance(t.target, cst.Subscript)
    ]
    while True:
        more = {
            name
            for name, value in pairs
            if name not in found and not _cut(value) and (names(value).reads & found or _trained(place, value))
        }
        if not more:
            return frozenset(found)
        found |= more


def _cut(node: cst.BaseExpression) -> bool:
    """Whether an expression ends where gradients do: `….detach()`."""
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value in ("detach", "item", "argmax", "argmin", "argsort", "long", "int", "bool", "size")
    ) or isinstance(node, cst.Comparison)


def _trained(place: FixSite, node: cst.CSTNode) -> bool:
    """Whether an expression reads a parameter, or calls a layer that has some."""
    for attribute in below(node, cst.Attribute):
        value = place.inference.value(attribute)
        for choice in lattice.choices(value) if value is not None else ():
            if isinstance(choice, domain.Tensor) and choice.origin == domain.PARAMETER:
                return True
            if isinstance(choice, domain.Instance) and dotted(attribute) != "self":
                short = choice.external.rpartition(".")[2]
                if choice.state and not (choice.cls is None and short in _WITHOUT):
                    return True
    return False


def _is_floating(place: FixSite, name: str, assigns: Sequence[cst.Assign]) -> bool:
    """Whether a name may hold floats: a count needs no gradient."""
    for assign in assigns:
        if any(n.value == name for t in assign.targets for n in targets(t.target)):
            kinds = place.inference.kinds(assign.value)
            if any(str(getattr(c, "dtype", "")).startswith(("int", "uint", "bool")) for c in kinds):
                return False
    return True
