"""# export-arguments

## What it does
Finds calls of `torch.export.export` whose `args` do not match the model, or whose `dynamic_shapes` do not match the
inputs: `args` that is not a tuple, missing and surplus inputs, names that are not inputs, entries with a different
nesting or rank, and Dims that the sizes of the example contradict.

## Why export cannot do it
Before tracing, export binds `args` and `kwargs` to the signature of `forward`, and matches the structure of
`dynamic_shapes` with that of the inputs. Every input needs an entry, `None` if it is static. The example must satisfy
its Dims. A tensor passed for two inputs becomes a single input of the graph, and the exported program ignores the
other.

## Example
```python
import torch

class Net(torch.nn.Module):
    def forward(self, x, y):
        return x + y

inputs = (torch.randn(3, 2), torch.randn(3, 2))
rows = torch.export.Dim("rows")
exported = torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: rows}})
```

## Use instead
```python
import torch

class Net(torch.nn.Module):
    def forward(self, x, y):
        return x + y

inputs = (torch.randn(3, 2), torch.randn(3, 2))
rows = torch.export.Dim("rows")
exported = torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: rows}, "y": {0: rows}})
```

## Fix safety
Unsafe: the fix edits a call that raises. It puts `args` into a tuple, gives `dynamic_shapes` the one key
that is missing, declares as static (`None`) what has no entry or no dimensions, counts an axis from the front, and passes
a copy of a tensor that is passed twice. No fix is offered where only the author knows what was meant.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB902` prints them.

## References
- torch docs, "torch.export": "Expressing Dynamism"
- torch docs, "torch.export API Reference": `dynamic_shapes`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import ArgumentMismatch
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact, MismatchKind
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

# The case that each kind rests on, and the message.
_MESSAGES: Final[dict[MismatchKind, tuple[str, str]]] = {
    "args-type": ("export_args_not_tuple", "`args` is {0}: export requires a tuple of the positional inputs"),
    "args-count": ("export_args_missing", "`args` and `kwargs` do not match the signature of `forward`: {0}"),
    "shapes-count": ("dynamic_shapes_count", "`dynamic_shapes` has entries for {0} of {1} inputs: each needs one, `None` if it is static"),
    "shapes-kwargs": ("dynamic_shapes_kwargs", "`dynamic_shapes` cannot describe what `**{0}` takes ({1}): name these inputs in the signature of `forward`"),
    "shapes-nesting": ("dynamic_shapes_nesting", "The entry of `dynamic_shapes` for `{0}` does not match the structure of the input: `{0}` is {1}"),
    "shapes-none": ("dynamic_shapes_none", "The entry of `dynamic_shapes` for `{0}` is `None`, but `{0}` is {1}: the entry must have the same structure, with `None` for each part"),
    "shapes-type": ("dynamic_shapes_nesting", "The entry of `dynamic_shapes` for `{0}` has another type than the input: `{0}` is a {1}"),
    "not-a-tensor": ("dynamic_shapes_not_a_tensor", "`{0}` is {1} and has no dimensions: its entry in `dynamic_shapes` must be `None`"),
    "empty-entry": ("dynamic_shapes_empty_entry", "`{0}` is {1}: its entry in `dynamic_shapes` must be `None`, not an empty container"),
    "text": ("dynamic_shapes_text", "`{0}` is declared by the text {1}: torch.export takes a `Dim`, `Dim.AUTO`, `Dim.DYNAMIC`, an int or `None`"),
    "two-ranges": ("dim_two_ranges", "`Dim({0!r})` is defined before with another range: use one object for both, or two names"),
    "rank": ("dynamic_shapes_rank", "The entry of `dynamic_shapes` for `{0}` is of rank {1}, but the tensor has rank {2}"),
    "same-tensor": ("same_tensor_twice", "`{0}` is passed for several inputs: the exported program reads only the first of them"),
    "new-form": ("unbacked_sizes", "export takes a `ShapesSpec` since torch 2.14: declare the dimensions with `Dim` for older versions"),
    "key": ("dict_key_enum", "`{0}` is a key of an input, and its `repr`, `{1}`, is no expression: export names inputs by code, so use a text or a number"),
    "size": ("dim_number_differs", "`{0}` is declared as {1} but is {2} in the example"),
}  # fmt: skip

# What can be mended without the author.
_FIXABLE: Final[frozenset[MismatchKind]] = frozenset(
    {
        "args-type",
        "shapes-keys",
        "shapes-count",
        "shapes-nesting",
        "shapes-none",
        "shapes-type",
        "not-a-tensor",
        "empty-entry",
        "text",
        "rank",
        "size",
        "range",
        "negative-axis",
        "same-tensor",
    }
)


class ExportArguments(Rule):
    """The arguments of an export call do not match the model or each other."""

    code = "EDB902"
    name = "export-arguments"
    family = "export_api"
    summary = "Export inputs do not match the model, or `dynamic_shapes` does not match the inputs"
    facts = (ArgumentMismatch,)
    no_fix = NoFix.NEEDS_AUTHOR
    cases = (
        "export_args_not_tuple",
        "export_args_missing",
        "dynamic_shapes_keys",
        "dynamic_shapes_count",
        "dynamic_shapes_kwargs",
        "dynamic_shapes_nesting",
        "dynamic_shapes_none",
        "dynamic_shapes_not_a_tensor",
        "dynamic_shapes_empty_entry",
        "dynamic_shapes_text",
        "dim_two_ranges",
        "dynamic_shapes_rank",
        "dynamic_shapes_axis",
        "dynamic_shapes_axis_auto",
        "dynamic_shapes_negative_axis",
        "dynamic_shapes_negative_axis_auto",
        "dim_number_differs",
        "dim_range_excludes_example",
        "dim_sizes_differ",
        "same_tensor_twice",
        "dict_key_enum",
        "unbacked_sizes",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, ArgumentMismatch)
        case, message = _worded(fact.kind, fact.parts)
        yield Violation(fact.site, case, message, fixable=fact.kind in _FIXABLE)

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.export_use import use_fixes

        return use_fixes(context)


def _worded(kind: MismatchKind, parts: tuple[str, ...]) -> tuple[str, str]:
    """The case of a mismatch, and its message."""
    if kind == "shapes-keys":
        missing, unknown = parts
        said = [f"no entry for `{missing}`"] if missing else []
        said += [f"`{unknown}` is not an input"] if unknown else []
        return "dynamic_shapes_keys", f"The keys of `dynamic_shapes` must be the inputs: {'; '.join(said)}"
    if kind in ("axis", "negative-axis"):
        place, axis, rank, declared = parts
        case = ("dynamic_shapes_negative_axis" if kind == "negative-axis" else "dynamic_shapes_axis") + (
            "" if declared == "named" else "_auto"
        )
        instead = (
            f"negative axes are not supported, use {int(axis) + int(rank)}"
            if kind == "negative-axis"
            else f"it has {rank}"
        )
        return case, f"`{place}` has no dimension {axis}: {instead}"
    if kind == "range":
        place, size, low, high, _ = parts
        bounds = f"at most {high}" if high and int(size) > int(high) else f"at least {low}"
        return "dim_range_excludes_example", f"`{place}` is {size} in the example, but its Dim must be {bounds}"
    if kind == "dim":
        place, size, dim, root, known = parts
        why = f"`{root}` is {known} for another input" if known else "no integer satisfies this"
        return "dim_sizes_differ", f"`{place}` is {size} in the example but declared as `{dim}`: {why}"
    case, message = _MESSAGES[kind]
    return case, message.format(*parts)
