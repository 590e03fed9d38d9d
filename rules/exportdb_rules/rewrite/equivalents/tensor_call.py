"""A call of an operator as a rewrite sees it: the tensor that it is of, and its other arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.finding import Edit
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.fix_site import FixSite, always_computed, lines_before, new_name
from exportdb_rules.rewrite.known.mutation import is_pure
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.known.signature import Signature

_NAMESPACES = ("F.", "nn.", "rnn.")


class TensorCall:
    """A call of an operator: the tensor that it is of, and its other arguments. `lines` are to stand above its statement.

    The tensor is None where the operator takes a list of them (`listing`).
    """

    def __init__(self, place: FixSite, *listing: str) -> None:
        call = place.call()
        if call is None or any(a.star for a in call.args):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain call")
        self.place, self.node = place, call
        self.lines: list[str] = []
        self._taken: set[str] = set()
        at = place.path.index(call)
        self.parent, self.above = place.path[at - 1], place.path[at - 2]
        self._given = arguments(call.args)
        self.positional, self.named = self._given.positional, self._given.named
        self.function = dotted(call.func)
        self.name = self.function.rpartition(".")[2]
        self.tensor: cst.BaseExpression | None = None
        if isinstance(call.func, cst.Attribute) and not self.function.startswith((f"{place.torch}.", *_NAMESPACES)):
            self.name, self.tensor = call.func.attr.value, call.func.value
        elif self.name not in listing and self.positional:
            self.tensor = self.positional.pop(0)

    def argument(self, index: int, *names: str) -> cst.BaseExpression | None:
        """An argument behind the tensor, by its place or one of its names."""
        return self._given.get(index, *names)

    def flag(self, index: int, *names: str, default: bool = False) -> bool:
        """An argument that is a literal True or False."""
        given = self.argument(index, *names)
        if given is not None and dotted(given) not in ("True", "False"):
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "an argument is not a literal")
        return default if given is None else dotted(given) == "True"

    def known(self, node: cst.BaseExpression) -> Signature:
        """What is known of an argument."""
        return self.place.inference.infer(node, self.place.environment())

    def refuse_more(self, count: int, *names: str) -> None:
        """Raises FixNotApplicable where the call has other arguments than these."""
        if len(self.positional) > count or not self.named.keys() <= {*names}:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")

    def bind(self, wanted: str, code: str) -> str:
        """A new name that a line binds to the code."""
        name, number = new_name(self.place, wanted), 1
        while name in self._taken:
            number += 1
            name = new_name(self.place, f"{wanted}_{number}")
        self._taken.add(name)
        self.lines.append(f"{name} = {code}")
        return name


def computed(call: TensorCall, node: cst.CSTNode, code: str) -> Iterable[Edit]:
    """The edits that put code in the place of the call, or of what stands around it, and the call's lines above it.

    Raises:
        FixNotApplicable: the statement need not compute it, or the lines would run before something that it changes.
    """
    place = call.place
    span = place.tree.span(node)
    assert span is not None
    if not always_computed(place):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "it is only computed conditionally")
    if not call.lines:
        return (Edit(span, code),)
    line = place.statement()
    if line is None or not is_pure(line):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the line has another side effect")
    return lines_before(place, call.lines), Edit(span, code)


def within(parent: cst.CSTNode, code: str) -> str:
    """The code of an operation, in parentheses where something binds it closer."""
    close = (cst.Attribute, cst.Subscript, cst.BinaryOperation, cst.UnaryOperation, cst.Comparison)
    return f"({code})" if isinstance(parent, close) else code
