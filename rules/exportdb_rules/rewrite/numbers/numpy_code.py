"""What stands for an expression of numpy in torch, and how two of them meet: the dtype is numpy's.

Measured with numpy 2.4: integers and floats of arrays make float64, where torch keeps the float; of a bool and a Python
float it is float64 as well. A number of numpy's decides the dtype as an array does, where a tensor without dimensions does not.
Of bools numpy makes bytes and half precision, and of bytes too, where torch makes wider numbers or refuses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.numbers import numpy_table as table
from exportdb_rules.rewrite.refusal import FixNotApplicable

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Code:
    """An expression in torch. `kind` is float, int or bool; `own`: it is a tensor that nothing else shares; `plain`: it is a
    Python number; `tensor`: it was a tensor of torch's before. `wide`: it is float64, whatever the inputs are. `number`: it
    was a number of numpy's, not an array; None where that is not known. `narrow`: it is of less than 32 bits, or made of
    such."""

    text: str
    kind: str
    own: bool = True
    plain: bool = False
    tensor: bool = False
    wide: bool = False
    number: bool | None = False
    narrow: bool = False

    def named(self, name: str) -> Code:
        """The same under a name."""
        return replace(self, text=name, own=False)

    def merged(self, other: Code) -> Code:
        """What a name holds that is given the one and the other."""
        if self.kind != other.kind:
            raise FixNotApplicable(NoFix.ARRAY_ESCAPES, "a name is given arrays of several kinds")
        number = self.number if self.number is other.number else None
        return replace(
            self,
            wide=self.wide or other.wide,
            number=number,
            tensor=self.tensor or other.tensor,
            narrow=self.narrow or other.narrow,
        )


def double(torch: str, code: Code) -> Code:
    """An expression in double precision."""
    return replace(code, text=f"{parenthesised(code.text)}.to({torch}.float64)", kind=table.FLOAT, wide=True)


def widest(codes: Iterable[Code]) -> str:
    """The kind of what several expressions make together."""
    kinds = {code.kind for code in codes}
    return table.FLOAT if table.FLOAT in kinds else table.INTEGER if table.INTEGER in kinds else table.BOOL


def together(torch: str, one: Code, two: Code) -> tuple[Code, Code]:
    """Two operands of an elementwise operation, cast where torch would give another dtype than numpy.

    Raises:
        FixNotApplicable: it is not known whether one is an array or a number.
    """
    if one.tensor or two.tensor:
        return one, two
    left, right = _beside(torch, one, two), _beside(torch, two, one)
    return _beneath(torch, left, right), _beneath(torch, right, left)


def _beside(torch: str, one: Code, other: Code) -> Code:
    """An operand of integers or bools, in double precision beside floats."""
    if one.plain or other.kind != table.FLOAT:
        return one
    return double(torch, one) if one.kind == table.INTEGER or (one.kind == table.BOOL and other.plain) else one


def _beneath(torch: str, one: Code, other: Code) -> Code:
    """An array of floats, in double precision beside a number of numpy's that is."""
    wider = other.wide and not other.plain and other.number is not False
    if one.plain or one.wide or not wider or one.number is True or one.kind != table.FLOAT:
        return one
    if other.number is None:
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known whether this is an array or a number of numpy's")
    return double(torch, one)


def joint(text: str, kind: str, *operands: Code) -> Code:
    """The result of an elementwise operation."""
    mine = [one for one in operands if not one.plain]
    numbers = {one.number for one in mine}
    number = True if numbers == {True} else False if False in numbers else None
    wide = kind == table.FLOAT and any(one.wide for one in mine)
    tensor, narrow = any(one.tensor for one in mine), any(one.narrow for one in mine)
    return Code(text, kind, wide=wide, number=number, tensor=tensor, narrow=narrow)
