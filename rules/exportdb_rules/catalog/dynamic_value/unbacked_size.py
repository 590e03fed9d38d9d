"""# unbacked-size

## What it does
Finds tensors where torch expects an int (`x.roll(t)`, `x.view(t, 2, 8)`), unbacked SymInts where torch requires a
concrete int (`torch.linspace(0, 1, n)`, `x.chunk(n)`, a dimension), or one that is known to be positive (the `padding` of a convolution,
the length of `torch.fft.rfft`), both where it requires a concrete float (`eps`, `p` of a
dropout or a norm, `scale` of the attention, `value` of a pad), tensors where torch expects a scalar
(`torch.clamp(x, t, 1.0)`, for strict export only), numbers read from tensors as the data of `torch.as_tensor`, `new_tensor`
or a constructor named by a type (`torch.LongTensor([n])`), views of a transposed tensor with an unbacked size,
Python lists and strings indexed by a data-dependent value, slices with a data-dependent bound, and elements of a tensor that a
0-dimensional tensor reads (`x[x.argmax()]`, for strict export only) or writes (`x[t] = 0`). A symbol from `.item()` is
reported next to other indices (`x[:, n]` for strict export, `x[:, n] = 0` for both modes) and in a list (`x[[n, 0]]`).
Strict export also fails on a slice that begins at such a position if a later index of the same subscript begins further on
(`x[a:b, c:d]`); `x[a:b][:, c:d]` exports. Both modes fail where a view that begins or ends at such a position is written in
place (`out[:n] = y`) and requires grad: autograd creates the view again, with symbols of its own where the number may be
negative.

## Why export cannot do it
A parameter declared as `SymInt` accepts a symbol from `.item()`, and often a 0-dimensional tensor, which torch converts
to a symbol by itself. Strict export loses that symbol if it does not become a size of the result. A parameter declared
as `int` or `float` requires a concrete number, which is unknown while tracing.

## Example
```python
def forward(self, x, i: torch.Tensor):
    return [x, x + 1, x + 2][i]
```

## Use instead
```python
def forward(self, x, i: torch.Tensor):
    return torch.stack([x, x + 1, x + 2])[i]
```

## Fix safety
`list(range(…))` for `torch.arange(…).tolist()` is safe: it computes the same numbers. Counting is unsafe where it may
go backwards: `torch.arange(3, 1)` raises, `range(3, 1)` is empty. `torch.linspace`, and `torch.arange` with a step from
data, computed with `torch.arange(n)` may differ in the last digit, and `one_hot` as a comparison raises a different
error for invalid labels: unsafe. `.item()` reads the number that Python would read, and `t[i.reshape(1)].squeeze(0)`
the element: both are safe, the latter where the element is used up in its expression, since a view becomes a copy.
`t[i][k]` for `t[i, k]` is the same view: safe. `torch.tensor` for another constructor of a tensor from numbers is safe,
as each of them copies. Some versions of torch require checks of slice bounds; these are unsafe, since they raise where
Python clips. `t[torch.arange(a, b)]` for a slice `t[a:b]` that is written is unsafe: where the slice is cut off, the
index raises, and a negative bound picks other elements. Converting a list to a tensor is unsafe, as its elements are no longer Python numbers; so is indexing with
a tensor instead of its `.tolist()`, which may be on another device; and so is running all modules of a ModuleList to
select the result of one.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB206` prints them.

## References
- torch.export programming model, "Values: static vs. dynamic"
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Indexed, SizeGiven
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence, Static, Sym, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact, IndexForm
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


# What torch does with the number (`SizeGiven.need`) -> the case of a tensor there, and that of a symbol.
_CASES = {
    "size": ("tensor_as_size", None),
    "plain": ("plain_int_by_tensor", "plain_int_by_item"),
    "sign": ("signed_int_by_item", "signed_int_by_item"),
    "number": ("shift_by_tensor", None),
    "start": ("narrow_start_by_tensor", None),
    "solved": ("view_solved_by_tensor", None),
    "layout": ("view_permuted_by_tensor", "view_permuted_by_tensor"),
    "float": ("plain_float_by_tensor", "plain_float_by_item"),
    "scalar": ("scalar_by_tensor", None),
    "data": (None, "as_tensor_of_item"),
    "like data": (None, "new_tensor_of_item"),
    "typed data": (None, "typed_tensor_of_item"),
}
_OF_DATA: Final = frozenset(_CASES[need][1] for need in _CASES if need.endswith("data"))


# A tensor without dimensions in a tensor's index.
_SCALARS: Final[dict[IndexForm, str]] = {
    "scalar": "index_tensor_by_tensor",
    "written scalar": "index_assign_by_tensor",
    "listed": "index_by_list_of_tensors",
}
# A symbol there.
_SYMBOLS: Final[dict[IndexForm, str]] = {
    "symbol": "index_tuple_by_item",
    "written symbol": "index_assign_by_item",
    "listed": "index_by_list_of_items",
}
# A view that lies where data says is written, of a tensor that requires grad.
_VIEW: Final = "view_written_by_item"
# A slice that begins at either, before an index that begins further on.
_BEGIN = "slice_then_further"


# No right fix where the number needs the tensor: where a plain int is wanted, or strides are to be compared, a symbol serves
# no better than the tensor.
_WITHOUT_FIX = frozenset((*_CASES["plain"], *_CASES["sign"], *_CASES["layout"], *_CASES["float"]))


class UnbackedSize(Rule):
    """A data-dependent value is used as a size, an index or a plain number."""

    code = "EDB206"
    name = "unbacked-size"
    family = "dynamic_value"
    summary = "A data-dependent value is used as a size, an index or a plain number"
    facts = (
        SizeGiven,
        Indexed,
    )
    cases = (
        "tensor_as_size",
        "plain_int_by_tensor",
        "plain_int_by_item",
        "signed_int_by_item",
        "plain_float_by_tensor",
        "plain_float_by_item",
        "scalar_by_tensor",
        "shift_by_tensor",
        "narrow_start_by_tensor",
        "view_solved_by_tensor",
        "view_permuted_by_tensor",
        "index_list_by_tensor",
        "slice_item",
        "slice_by_tensor",
        "slice_assign_by_tensor",
        "index_list_by_item",
        "index_tensor_by_tensor",
        "index_assign_by_tensor",
        "index_by_list_of_tensors",
        "index_tuple_by_item",
        "index_assign_by_item",
        "index_by_list_of_items",
        "slice_then_further",
        _VIEW,
        "as_tensor_of_item",
        "new_tensor_of_item",
        "typed_tensor_of_item",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, (SizeGiven, Indexed))
        value = fact.value if isinstance(fact, SizeGiven) else fact.index
        case = _case_of_size(fact) if isinstance(fact, SizeGiven) else _case_of_index(fact)
        if case is None:
            return
        yield Violation(
            fact.site,
            case,
            _of_size(fact) if isinstance(fact, SizeGiven) else _of_index(fact),
            # Whoever exports without gradients may write there.
            evidence=Evidence.DERIVED if case == _VIEW else max(Evidence.DERIVED, value.evidence),
            origin=value.site,
            parameter=value.param if type(value) is Tensor else None,
            fixable=True,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.numbers.bounds import slice_to_checked
        from exportdb_rules.rewrite.numbers.conversion import symbols_to_tensor
        from exportdb_rules.rewrite.numbers.indexing import (
            element_to_reshaped,
            list_index_to_tensor,
            list_to_its_tensor,
            size_to_item,
            slice_to_indices,
            subscripts_apart,
        )
        from exportdb_rules.rewrite.numbers.linspace import arange_by_step, linspace_to_arange
        from exportdb_rules.rewrite.numbers.one_hot import one_hot_of_symbol
        from exportdb_rules.rewrite.numbers.plain_numbers import tolist_to_range

        case = context.finding.case
        if case == _VIEW:
            return slice_to_indices(context)
        if case in _OF_DATA:
            return symbols_to_tensor(context)
        if case in (_SYMBOLS["symbol"], _SYMBOLS["written symbol"], _BEGIN):
            return subscripts_apart(context)
        if case == _SYMBOLS["listed"]:
            return list_to_its_tensor(context)
        plain = (
            tolist_to_range(context)
            or linspace_to_arange(context)
            or arange_by_step(context)
            or one_hot_of_symbol(context)
        )
        if plain or case in _WITHOUT_FIX:
            return plain
        if case.startswith("index_list_by"):
            return list_index_to_tensor(context)
        if case == "slice_item":
            return size_to_item(context) or slice_to_checked(context)
        return element_to_reshaped(context) if case in _SCALARS.values() else size_to_item(context)


def _case_of_size(fact: SizeGiven) -> str | None:
    """The measured case of a number that is given for an int; None where export takes it."""
    of_tensor, of_symbol = _CASES[fact.need]
    return of_tensor if type(fact.value) is Tensor else of_symbol


def _case_of_index(fact: Indexed) -> str | None:
    """The measured case of an index that depends on data; None where export takes it."""
    by_tensor = type(fact.index) is Tensor
    if type(fact.index) is Sym and fact.index.backed:
        return None
    if type(fact.container) is not Tensor:
        return "index_list_by_tensor" if by_tensor else "index_list_by_item"
    if fact.form == "begin":
        return _BEGIN
    if fact.form == "written view":
        return _VIEW
    if fact.form == "written slice" and by_tensor:
        return "slice_assign_by_tensor"
    if fact.form.endswith("slice"):
        checked = fact.form == "slice" and not by_tensor and _checked(fact)
        return None if checked else "slice_by_tensor" if by_tensor else "slice_item"
    return _SCALARS.get(fact.form) if by_tensor else _SYMBOLS.get(fact.form)


def _checked(fact: Indexed) -> bool:
    """Whether the file checks the bound of a slice, as torch before 2.12 wants it."""
    text = fact.site.module.text
    if "_check_is_size(" not in text:
        return False
    bounds = {node.id for node in ast.walk(fact.site.node) if isinstance(node, ast.Name)}
    return any(re.search(rf"_check\(\s*{bound} <= [\w.]+\.shape\[", text) for bound in bounds)


def _of_index(fact: Indexed) -> str:
    if fact.form == "begin":
        return (
            f"The slice of {quote(fact.site)} begins at a data-dependent position, and a later index begins further on: "
            "strict export loses the symbol of that position. Use one subscript for each dimension"
        )
    if fact.form == "written view":
        return (
            f"The part of a tensor that {quote(fact.site)} writes begins or ends where data says, and the tensor requires grad: "
            "export loses the symbol. Index with `torch.arange`, or check first that the number is not negative, as with "
            "`torch._check(n >= 0)`"
        )
    kind = "slice" if fact.form.endswith("slice") else "index"
    text = type(fact.container) is Static
    where = "" if type(fact.container) is Tensor else " into a string" if text else " into a Python list"
    return f"Data-dependent {kind}{where}: the value of {quote(fact.site)} is unknown while tracing"


def _of_size(fact: SizeGiven) -> str:
    callee = fact.callee.rpartition(".")[2]
    if fact.need == "layout":
        return (
            f"`{callee}` of a permuted tensor with the unbacked size {quote(fact.site)} cannot be checked against its "
            "strides: use `reshape`"
        )
    if fact.need.endswith("data"):
        return f"{quote(fact.site)} reads a number whose value is unknown while tracing: use `torch.tensor`"
    if fact.need == "sign":
        return (
            f"`{callee}` asks whether its `{fact.parameter}` is positive, which is unknown of {quote(fact.site)} while tracing: "
            "check its bounds first, as with `torch._check(n >= 1)`"
        )
    kind = "a tensor" if type(fact.value) is Tensor else "an unbacked SymInt"
    wanted = {"plain": "a concrete int", "float": "a concrete float", "scalar": "a number"}.get(fact.need, "an int")
    return f"`{fact.parameter}` of `{callee}` must be {wanted}, but {quote(fact.site)} is {kind}"
