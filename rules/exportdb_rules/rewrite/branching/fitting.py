"""Work on a tensor that changes nothing where its size fits already: padding by 0, no rows behind it, a slice of it all.

`if pad > 0: x = F.pad(x, (0, pad))` asks something of a size that is dynamic, or data-dependent, which export has to decide
while it traces. The work alone gives the same elements, in eager as in the graph, and asks nothing. Measured on torch 2.13:
`F.pad` in the modes `constant`, `reflect` and `replicate` (`circular` does not export); a slice up to a number narrows a
dynamic dimension, and leaves a size that comes from data as it is.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.selection import Selection, method_of
from exportdb_rules.rewrite.branching.where import cheap
from exportdb_rules.rewrite.known.liveness import code_after, live_out
from exportdb_rules.rewrite.known.mutation import copy_is_observable, is_unaliased
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import TensorSignature
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import CallArguments, integer, only_statement, replace_all, signed, statements
from exportdb_rules.values import Sym

_MODES: Final = ("'constant'", "'reflect'", "'replicate'")
_FILLED: Final = frozenset(("zeros", "ones", "full", "new_zeros", "new_ones", "new_full"))


class Fitting:
    """The body of an `if` around work that makes a tensor fit, on its way to run on every call."""

    def __init__(self, selection: Selection, node: cst.If) -> None:
        self._selection = selection
        self._place = selection.place
        self._node = node
        self._code = selection.code
        # The code of what the condition asks whether it is not 0, and whether it has to be above that.
        self._asked = dict(self._question(part) for part in _alternatives(node.test))
        # The names of numbers that the body binds, and that are 0 where the condition does not hold.
        self._zero: set[str] = set()

    def statements(self) -> list[cst.BaseStatement]:
        """The statements of the body, as they have no effect where the condition does not hold.

        Raises:
            FixNotApplicable: they may have one.
        """
        done = [self._unguarded(statement) for statement in statements(self._node.body)]
        other = self._node.orelse
        given = self._zeros_of(other) if other is not None else set[str]()
        if self._zero - given & live_out(self._selection.path, self._place.function):
            raise FixNotApplicable(NoFix.POSSIBLY_UNBOUND, "a number of the body is read later")
        return done

    def _zeros_of(self, other: cst.Else | cst.If) -> set[str]:
        """The names of the body that the other side sets to 0, which they are then anyhow."""
        block = statements(other.body)
        given: set[str] = set()
        for only in [only_statement([statement]) for statement in block]:
            target = only.targets[0].target if isinstance(only, cst.Assign) and len(only.targets) == 1 else None
            zero = isinstance(only, cst.Assign) and integer(only.value) == 0 and isinstance(target, cst.Name)
            if not zero or not isinstance(target, cst.Name) or target.value not in self._zero:
                raise FixNotApplicable(
                    NoFix.UNKNOWN_FORM, "the other side does more than to say that there is nothing to do"
                )
            given.add(target.value)
        if isinstance(other, cst.If) or "#" in self._place.tree.code(other):
            raise FixNotApplicable(NoFix.SHARED_LINE, "an elif, or a comment between the sides")
        return given

    def _unguarded(self, statement: cst.CSTNode) -> cst.BaseStatement:
        only = only_statement([statement])
        target = only.targets[0].target if isinstance(only, cst.Assign) and len(only.targets) == 1 else None
        if isinstance(only, cst.Assign) and isinstance(target, cst.Subscript):
            self._refuse_unless_no_rows(target, only.value)
            assert isinstance(statement, cst.SimpleStatementLine)
            return statement
        if not isinstance(only, cst.Assign) or not isinstance(target, cst.Name):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than work that makes a tensor fit")
        assert isinstance(statement, cst.SimpleStatementLine)
        method = method_of(self._place, only.value)
        if isinstance(only.value, cst.Subscript):
            self._refuse_unless_whole(target, only.value)
            return statement
        if method is not None and method[0] in ("pad", "cat"):
            name, first, rest = method
            sizes = self._padding(target, first, rest) if name == "pad" else self._rows_behind(target, first, rest)
            self._refuse_alias(target)
        else:
            sizes = [only.value] if cheap(only.value) and self._selection.is_number(only.value) else []
            if not sizes:
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than work that makes a tensor fit")
            self._zero.add(target.value)
        return replace_all(statement, [(size, self._amount(size)) for size in sizes if integer(size) != 0])

    # --- what is done to the tensor -------------------------------------------------------------------------------

    def _padding(self, target: cst.Name, padded: cst.BaseExpression, rest: CallArguments) -> list[cst.BaseExpression]:
        """The amounts that `target = F.pad(target, amounts)` pads by."""
        amounts, mode = rest.get(0, "pad"), rest.get(1, "mode")
        plain = padded.deep_equals(target) and isinstance(amounts, (cst.Tuple, cst.List))
        if not plain or (mode is not None and self._code(mode).replace('"', "'") not in _MODES):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than work that makes a tensor fit")
        assert isinstance(amounts, (cst.Tuple, cst.List))
        return self._elements(amounts)

    def _rows_behind(
        self, target: cst.Name, given: cst.BaseExpression, rest: CallArguments
    ) -> list[cst.BaseExpression]:
        """The numbers of rows that `target = torch.cat([target, zeros(rows, …)])` adds."""
        axis = rest.get(0, "dim")
        dim = 0 if axis is None else integer(axis)
        parts = self._elements(given) if isinstance(given, (cst.Tuple, cst.List)) else []
        added = [part for part in parts if not part.deep_equals(target)]
        if dim is None or len(added) != len(parts) - 1:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than work that makes a tensor fit")
        return [self._rows(target, part, dim) for part in added]

    def _rows(self, target: cst.Name, part: cst.BaseExpression, dim: int) -> cst.BaseExpression:
        """The size of a tensor of one number along a dimension."""
        infer, env = self._place.inference.infer, self._selection.env
        known = [infer(node, dict(env)) for node in (target, part)]
        dtypes = {signature.dtype for signature in known if isinstance(signature, TensorSignature)}
        if len(dtypes) != 1 or None in dtypes or not isinstance(known[1], TensorSignature):
            raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "what is added may have another dtype")
        if isinstance(part, cst.Call) and isinstance(part.func, cst.Attribute) and part.func.attr.value in _FILLED:
            sizes = [arg.value for arg in part.args if arg.keyword is None and not arg.star]
            if sizes and isinstance(sizes[0], (cst.Tuple, cst.List)):
                sizes = self._elements(sizes[0])
            if -len(sizes) <= dim < len(sizes):
                return sizes[dim]
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "it is not written out how many rows are added")

    def _elements(self, node: cst.Tuple | cst.List) -> list[cst.BaseExpression]:
        if any(not isinstance(element, cst.Element) for element in node.elements):
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the amounts are not written out")
        return [element.value for element in node.elements]

    def _refuse_unless_no_rows(self, target: cst.Subscript, value: cst.BaseExpression) -> None:
        """Raises FixNotApplicable unless `x[1:n] = x[1:n] - x[:-1]` reads and writes no row where the condition, that the number
        `n` of rows is above 1, does not hold."""
        least, tensor = _least(self._node.test), target.value
        if least is None or not isinstance(tensor, cst.Name) or self._node.orelse is not None:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than work that makes a tensor fit")
        size, first = least
        if not self._is_size(size, tensor, 0) and not self._is_size_of_alike(size, tensor):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than work that makes a tensor fit")
        if not all(self._has_no_rows(one, tensor, size, first) for one in (target, value)):
            raise FixNotApplicable(NoFix.EMPTY_SELECTION, "it may write rows where the condition does not hold")

    def _is_size_of_alike(self, node: cst.BaseExpression, tensor: cst.Name) -> bool:
        """Whether an expression is the number of rows of another tensor, which has the same shape."""
        read = [name for name in names(self._followed(node)).reads if self._is_size(node, cst.Name(name), 0)]
        infer, env = self._place.inference.infer, self._selection.env
        mine = infer(tensor, dict(env))
        other = [infer(cst.Name(name), dict(env)) for name in read]
        return any(
            isinstance(one, TensorSignature)
            and isinstance(mine, TensorSignature)
            and one.shape == mine.shape is not None
            for one in other
        )

    def _has_no_rows(self, node: cst.BaseExpression, tensor: cst.Name, size: cst.BaseExpression, first: int) -> bool:
        """Whether an expression has no rows where a tensor has fewer than `first` and one: arithmetic with `x[first:]` and
        `x[:-first]`."""
        if isinstance(node, cst.BinaryOperation):
            sides = [side for side in (node.left, node.right) if not self._selection.is_number(side)]
            return bool(sides) and all(self._has_no_rows(side, tensor, size, first) for side in sides)
        if not isinstance(node, cst.Subscript) or not node.value.deep_equals(tensor):
            return False
        part = node.slice[0].slice
        if not isinstance(part, cst.Slice) or part.step is not None or len(node.slice) > 1:
            return False
        lower = 0 if part.lower is None else signed(part.lower)
        upper = None if part.upper is None else signed(part.upper)
        to_the_end = part.upper is None or part.upper.deep_equals(size)
        if lower is None or lower < 0:
            return False
        return (lower >= first and to_the_end) or (upper is not None and upper <= -first)

    def _refuse_unless_whole(self, target: cst.Name, taken: cst.Subscript) -> None:
        """Raises FixNotApplicable unless `target = target[:k]` takes all of the tensor where the condition does not hold: that a
        size, which comes from data, is above `k`."""
        test = self._node.test
        kinds = self._place.inference.kinds(test)
        if not kinds or not all(isinstance(kind, Sym) and not kind.backed for kind in kinds):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than work that makes a tensor fit")
        if self._cut(target, taken, test, above=True) is None:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the condition asks something else")

    def _cut(
        self, target: cst.Name, taken: cst.BaseExpression, test: cst.BaseExpression, *, above: bool
    ) -> tuple[cst.BaseExpression, cst.BaseExpression, int | None] | None:
        """The size, `k` and the dimension, counted from the last, of `target[..., :k]` under a condition that the size there is
        above `k` (or, with `above` unset, below it); None of anything else."""
        sides = compared(test)
        if not isinstance(taken, cst.Subscript) or not taken.value.deep_equals(target) or not sides:
            return None
        parts = [element.slice for element in taken.slice]
        from_end = isinstance(parts[0], cst.Index) and isinstance(parts[0].value, cst.Ellipsis)
        slices = [part for part in parts[from_end:] if isinstance(part, cst.Slice)]
        ends = [(at, part) for at, part in enumerate(slices) if part.lower or part.upper or part.step]
        if len(slices) != len(parts) - from_end or len(ends) != 1:
            return None
        at, part = ends[0]
        limit, rank = part.upper, self._selection.rank(target)
        last = at - len(slices) if from_end else None if rank is None else at - rank
        first = at if not from_end else None if rank is None else at - len(slices) + rank
        size, other = sides if above else sides[::-1]
        if limit is None or part.lower or part.step or not other.deep_equals(limit):
            return None
        return (size, limit, last) if self._is_size(size, target, first, last) else None

    def _followed(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """What a name stands for; any other expression as it is."""
        while isinstance(node, cst.Name) and (given := self._selection.defined(node)) is not None:
            node = given
        return node

    def _is_size(self, node: cst.BaseExpression, target: cst.Name, *dims: int | None) -> bool:
        """Whether an expression is the size of a tensor along a dimension, which is counted from the first or from the last."""
        name = target.value
        sizes = [f"len({name})"] if 0 in dims else []
        sizes += [code for dim in dims if dim is not None for code in (f"{name}.shape[{dim}]", f"{name}.size({dim})")]
        return self._code(self._followed(node)) in sizes

    def resized(self) -> cst.BaseStatement | None:
        """`target = F.pad(target, (0, k - size))` for a slice up to `k` where the size is above that, and padding where it is
        below; None for any other branch. A negative amount takes away."""
        test, other = self._node.test, self._node.orelse
        if other is None or not compared(test):
            return None
        small, large = compared(test)[::-1]
        if isinstance(other, cst.If):
            asked = compared(other.test)
            if other.orelse is not None or not asked or not all(map(cst.CSTNode.deep_equals, asked, (small, large))):
                return None
        lines = [only_statement(statements(block)) for block in (self._node.body, other.body)]
        for above, (cutting, padding) in ((True, lines), (False, lines[::-1])):
            if not isinstance(cutting, cst.Assign) or not isinstance(padding, cst.Assign):
                return None
            target = padding.targets[0].target
            method = method_of(self._place, padding.value)
            if not isinstance(target, cst.Name) or method is None or method[0] != "pad":
                continue
            cut = self._cut(target, cutting.value, test, above=above)
            if cut is None or not target.deep_equals(cutting.targets[0].target):
                continue
            amounts = self._padding(target, *method[1:])
            added = {at: amount for at, amount in enumerate(amounts) if integer(amount) != 0}
            size, limit, last = cut
            amount = f"{self._code(limit)} - {self._code(size)}"
            behind = None if last is None else 1 - 2 * (last + 1)
            if method[2].get(1, "mode") is None and {at: self._code(one) for at, one in added.items()} == {
                behind: amount
            }:
                self._refuse_alias(target)
                return statements(self._node.body if padding is lines[0] else other.body)[0]
        return None

    # --- what the condition asks ----------------------------------------------------------------------------------

    def _question(self, test: cst.BaseExpression) -> tuple[str, bool]:
        """The code of the amount that a condition asks whether it is not 0, and whether it has to be above that; '' if none."""
        if not isinstance(test, cst.Comparison):
            return self._code(test), False
        operator, left, right = test.comparisons[0].operator, test.left, test.comparisons[0].comparator
        if len(test.comparisons) > 1:
            return "", False
        if isinstance(operator, (cst.LessThan, cst.LessThanEqual)):
            left, right = right, left
        above = isinstance(operator, (cst.GreaterThan, cst.LessThan))
        least = isinstance(operator, (cst.GreaterThanEqual, cst.LessThanEqual))
        if integer(right) == int(least) and (above or least or isinstance(operator, cst.NotEqual)):
            return self._code(left), above or least
        # `n < 16` before padding by `16 - n`.
        return (f"{self._code(left)} - {self._code(right)}", True) if above else ("", False)

    def _amount(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """A number of the body, as it is 0 where the condition does not hold.

        Raises:
            FixNotApplicable: it may be something else.
        """
        if self._is_zero(node):
            return node
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Subtract):
            rest = node.right
            remainder = (
                rest if isinstance(rest, cst.BinaryOperation) and isinstance(rest.operator, cst.Modulo) else None
            )
            if remainder is not None and remainder.right.deep_equals(node.left) and self._is_zero(remainder):
                whole = remainder.left
                if isinstance(whole, (cst.Name, cst.Attribute, cst.Subscript, cst.Call)):
                    # What is missing to the next multiple, where that would be `k`: 0.
                    return cst.parse_expression(f"-{self._code(whole)} % {self._code(node.left)}")
        if self._asked.get(self._code(node)) and len(self._asked) == 1:
            return cst.parse_expression(f"max({self._code(node)}, 0)")
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the condition asks something else")

    def _is_zero(self, node: cst.BaseExpression) -> bool:
        """Whether a number is 0 where the condition does not hold."""
        code = self._code(node)
        if integer(node) == 0 or code in self._zero or (code in self._asked and not self._may_be_negative(node)):
            return True
        if not isinstance(node, cst.BinaryOperation):
            return False
        left, right = self._is_zero(node.left), self._is_zero(node.right)
        if isinstance(node.operator, (cst.Add, cst.Subtract)):
            return left and right
        if isinstance(node.operator, cst.Multiply):
            return left or right
        return left and isinstance(node.operator, (cst.FloorDivide, cst.Modulo))

    def _may_be_negative(self, node: cst.BaseExpression) -> bool:
        """Whether an amount may be below 0 where the condition does not hold; `… % n` is not, of a number of elements."""
        if not self._asked[self._code(node)]:
            return False
        node = self._followed(node)
        return not (isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo))

    def _refuse_alias(self, target: cst.Name) -> None:
        """Raises FixNotApplicable where somebody would see that the tensor is a copy where it fits."""
        env, function = self._selection.env, self._place.function
        known = env.get(target.value)
        if not isinstance(known, TensorSignature):
            raise FixNotApplicable(NoFix.NOT_A_TENSOR, f"{target.value} may be no tensor")
        own = is_unaliased(target.value, env, [function.body])
        if not own and copy_is_observable(
            target.value, known.storages, env, code_after(self._selection.path, function)
        ):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "the tensor may be seen elsewhere")


def compared(test: cst.BaseExpression) -> tuple[cst.BaseExpression, ...]:
    """The larger and the smaller one of two numbers, as a condition asks whether they are that; () of another condition."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return ()
    operator, other = test.comparisons[0].operator, test.comparisons[0].comparator
    if isinstance(operator, (cst.GreaterThan, cst.GreaterThanEqual)):
        return test.left, other
    return (other, test.left) if isinstance(operator, (cst.LessThan, cst.LessThanEqual)) else ()


def _least(test: cst.BaseExpression) -> tuple[cst.BaseExpression, int] | None:
    """The number that a condition asks whether it is above another one, which is written out, and that one."""
    sides = compared(test)
    if not sides or not isinstance(test, cst.Comparison) or (limit := integer(sides[1])) is None:
        return None
    least = isinstance(test.comparisons[0].operator, (cst.GreaterThanEqual, cst.LessThanEqual))
    limit -= int(least)
    return (sides[0], limit) if limit > 0 else None


def _alternatives(test: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The conditions one of which must hold."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
        return [*_alternatives(test.left), *_alternatives(test.right)]
    return [test]
