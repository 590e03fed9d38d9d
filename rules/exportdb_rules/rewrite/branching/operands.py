"""What a call of a higher-order operator passes to its functions, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import libcst as cst

from exportdb_rules.rewrite.effort import once
from exportdb_rules.rewrite.known.signature import TensorSignature
from exportdb_rules.rewrite.tree import below, children, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.rewrite.known.inference import Environment


def in_order(node: cst.CSTNode) -> list[str]:
    """The names in the order in which they first occur."""
    found: dict[str, None] = {}

    def visit(here: cst.CSTNode) -> None:
        if type(here) is cst.Name:
            found.setdefault(here.value)
        elif type(here) is cst.Attribute or type(here) is cst.Arg:
            visit(here.value)
        else:
            for child in children(here):
                visit(child)

    visit(node)
    return list(found)


def passed(
    operands: list[str],
    env: Environment,
    code: Sequence[cst.CSTNode],
    closed_over: Iterable[str] = (),
    *,
    layout: bool = False,
) -> list[str]:
    """The operands as the call passes them: `.clone()` where two would share storage, which torch.cond refuses.

    `code` is what the functions hold, `closed_over` the storages that they read without being given them. With `layout`, an
    operand that may have gaps is passed without: its strides must not change from round to round.
    """
    seen: set[str] = set(closed_over)
    read = frozenset[str]().union(*map(_attributes, code))
    # Whoever owns a storage by name comes first, so that the views of it are the ones copied.
    own = {n for n in operands if isinstance(s := env[n], TensorSignature) and s.storages == frozenset([n])}
    own -= seen
    seen |= own
    arguments: list[str] = []
    for name in operands:
        signature = cast("TensorSignature", env[name])
        shared = name not in own and bool(signature.storages & (seen | read))
        seen |= signature.storages
        method = "clone()" if shared else "contiguous()" if signature.maybe_noncontiguous and layout else ""
        arguments.append(f"{name}.{method}" if method else name)
    return arguments


@once
def _attributes(node: cst.CSTNode) -> frozenset[str]:
    """The attributes in a piece of code, `self.a` of `self.a`."""
    return frozenset([dotted(attribute) for attribute in below(node, cst.Attribute)]) - {""}


def listed(codes: Sequence[str]) -> str:
    """The code of a tuple of expressions; '' where there are none."""
    return f"({codes[0]},)" if len(codes) == 1 else f"({', '.join(codes)})" if codes else ""
