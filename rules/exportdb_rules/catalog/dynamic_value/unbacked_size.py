"""# unbacked-size

## What it does
Finds tensors given where torch wants an int (`x.view(n, t)`, `F.interpolate(size=(h, w))` with tensors), Python lists
indexed by data, and slices bounded by data.

## Why export cannot do it
Python asks the tensor for its index, which needs its value. A symbol from `.item()` serves as a size; a 0-dimensional
tensor does not.

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
No fix is offered.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB206` prints them.

## References
- torch.export programming model, "Values: static vs. dynamic"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Indexed, SizeGiven
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.values import Sym, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact


# Parameters that name a dimension: a symbol that serves as a size cannot serve as one of these.
_DIMENSIONS = frozenset({"dim", "dims", "axis", "dim0", "dim1", "start_dim", "end_dim", "source", "destination"})


class UnbackedSize(Rule):
    """A number from data stands where an int is wanted."""

    code = "EDB206"
    name = "unbacked-size"
    family = "dynamic_value"
    summary = "a number from data stands where an int is wanted"
    facts = (
        SizeGiven,
        Indexed,
    )
    cases = (
        "tensor_as_size",
        "item_as_dim",
        "index_list_by_tensor",
        "slice_item",
        "slice_by_tensor",
        "slice_assign_by_tensor",
        "index_list_by_item",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        value = fact.value if isinstance(fact, SizeGiven) else fact.index  # type: ignore[union-attr]
        if isinstance(fact, SizeGiven):
            if type(value) is not Tensor and fact.parameter not in _DIMENSIONS:  # pyright: ignore[reportUnknownArgumentType]
                return
            case = "tensor_as_size" if type(value) is Tensor else "item_as_dim"  # pyright: ignore[reportUnknownArgumentType]
            message = f"{quote(fact.site)} is a tensor where `{fact.callee.rpartition('.')[2]}` wants an int for `{fact.parameter}`: its data would be needed"
        else:
            assert isinstance(fact, Indexed)
            if type(value) is Sym and value.backed:  # pyright: ignore[reportUnknownArgumentType]
                return
            listed = type(fact.container) is not Tensor
            if listed:
                case = "index_list_by_tensor" if type(value) is Tensor else "index_list_by_item"  # pyright: ignore[reportUnknownArgumentType]
            elif fact.form == "written slice" and type(value) is Tensor:  # pyright: ignore[reportUnknownArgumentType]
                case = "slice_assign_by_tensor"
            elif fact.form.endswith("slice"):
                case = "slice_by_tensor" if type(value) is Tensor else "slice_item"  # pyright: ignore[reportUnknownArgumentType]
            else:
                return
            message = f"{quote(fact.site)} depends on the data of a tensor: export cannot pick an element by it"
            if not listed:
                message = (
                    f"{quote(fact.site)} depends on the data of a tensor: export cannot tell how much the slice takes"
                )
        yield Report(
            fact.site,
            case,
            message,
            sure=max(1, value.sure),  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
            origin=value.site,  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
            parameter=value.param if type(value) is Tensor else None,  # pyright: ignore[reportUnknownArgumentType]
        )
