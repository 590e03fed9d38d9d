"""# python-conversion

## What it does
Finds `int(t)`, `float(t)`, `math.sqrt(t)`, `len(t.nonzero())`, `f"{t.item():.2f}"`: conversions of tensor values to
plain Python values; what strict export cannot print, `"%s" % t` and `str(t.item())`; and the text of such a number as the
key of a dict or ModuleDict, as the name of an attribute (`self.heads[f"head{t.item()}"]`), also with a default, or compared
with another text (`f"{t.item()}" == "3"`). `t.item()` alone is not
reported: it gives an unbacked symbol, which export supports. Nor is `f"{t}"`: without a format specification, both modes
print the fake tensor or the symbol.

## Why export cannot do it
`int()` and similar functions must return a concrete Python number, but the value behind `.item()` is unknown while
tracing. Strict export recognizes the call and keeps the symbol; non-strict export runs it. The text of a symbol is its
name (`u0`): there is no entry of that name, the default is exported, and the comparison is never true.

## Example
```python
def forward(self, x, n: torch.Tensor):
    return x * int(n)
```

## Use instead
```python
def forward(self, x, n: torch.Tensor):
    return x * n.item()
```

## Fix safety
`.item()` instead of `int()` or `float()` keeps the symbol: unsafe, the Python type may change (`int()` truncates a
float tensor). `int(n * t.item())` truncates the product as a tensor in double precision: unsafe, a NaN raises no error.
`t.shape[0]` instead of `len(t)` is safe. `math.sqrt`, `math.exp` and the logarithms become torch functions in double
precision, with a check where `math` raises: unsafe, the last digit may differ.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB203` prints them.

## References
- torch docs, "Dealing with GuardOnDataDependentSymNode errors"
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Converted, DataRead
from exportdb_rules.no_fix import NoFix
from exportdb_rules.operator_table import is_float
from exportdb_rules.project import dotted
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence, Sym, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import ConversionTarget, Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


_UNKNOWN: Final = "but its value is unknown while tracing"
_SYMBOL_TEXT: Final = "but while tracing that is the name of a symbol"
# What the code does with a tensor or a number read from one, and why export cannot.
_MESSAGES: Final[dict[ConversionTarget, str]] = {
    "int": f"converts a tensor to a Python int, {_UNKNOWN}",
    "float": f"converts a tensor to a Python float, {_UNKNOWN}",
    "format": f"is formatted as a string, {_UNKNOWN}",
    "repr": f"is converted to a string, {_UNKNOWN}",
    "len": f"returns a data-dependent length as a Python int, {_UNKNOWN}",
    "name": f"makes a name of a number from a tensor, {_SYMBOL_TEXT}",
    "attribute": f"looks up an attribute by the text of a number from a tensor, {_SYMBOL_TEXT}",
    "number": "uses a bool from a tensor as a number, but while tracing it is a `torch.SymBool`, which supports no arithmetic",
    "divmod": "divides a number from a tensor, but while tracing it is a `torch.SymInt`, which does not support `divmod`",
    "lookup": f"looks up the text of a number from a tensor, {_SYMBOL_TEXT}",
    "guard": "raises: while tracing, a number from a tensor is a `torch.SymInt`",
    "checked": "passes a number from a tensor to a check for a plain number, but while tracing it is a `torch.SymInt`",
    "text": f"compares the text of a number from a tensor, {_SYMBOL_TEXT}",
    **dict.fromkeys(("numpy", "numpy arithmetic"), f"passes a number from a tensor to numpy, {_UNKNOWN}"),
}


# What a tensor, or a number read from one, becomes (`Converted.target`) -> the measured case.
_OF_TENSOR = {
    "int": "int_of_tensor",
    **dict.fromkeys(("float", "complex", "math", "floor", "ceil", "trunc"), "float_of_tensor"),
    "format": "format_tensor",
    "percent": "percent_number",
    "printed": "percent_printed",
    "repr": "format_repr",
}
_OF_NUMBER = {
    **dict.fromkeys(("int", "float"), "int_item"),
    "format": "format_item_unused",
    "percent": "percent_number",
    "printed": "percent_printed",
    **dict.fromkeys(("math", "round", "floor", "ceil", "trunc"), "item_math"),
    "len": "nonzero_len_used",
    **dict.fromkeys(("guard", "checked"), "isinstance_guard_item"),
    "repeat": "item_range",
    "name": "text_as_key",
    "attribute": "attribute_by_text",
    "lookup": "text_looked_up",
    "text": "text_compared",
    "number": "bool_arithmetic",
    "divmod": "divmod_of_item",
    "bits": "bit_length_of_item",
    "numpy": "numpy_of_item",
    "numpy arithmetic": "numpy_arithmetic_of_item",
}


_BY_MATH: Final = frozenset({"math", "floor", "ceil", "trunc"})


def _of_math(target: str, function: str, value: Tensor | Sym) -> str:
    """The measured program in which a function of `math` is given such a value. What rounds a number keeps the symbol, and strict
    export knows the root as well; no mode lets a function have a tensor."""
    if type(value) is Tensor:
        return "math_of_tensor" if target == "math" else "floor_of_tensor"
    if target != "math":
        return "item_math"
    return {"sqrt": "item_sqrt", "pow": "item_pow"}.get(function, "item_exp")


class PythonConversion(Rule):
    """A tensor is converted to a Python number or string."""

    code = "EDB203"
    name = "python-conversion"
    family = "dynamic_value"
    summary = "A tensor is converted to a Python number or string"
    no_fix = NoFix.PYTHON_NUMBER
    facts = (Converted, DataRead)
    cases = (
        "int_of_tensor",
        "int_of_bool",
        "bool_arithmetic",
        "divmod_of_item",
        "bit_length_of_item",
        "float_of_tensor",
        "int_item",
        "format_item_unused",
        "format_tensor",
        "percent_number",
        "percent_printed",
        "format_repr",
        "item_math",
        "item_sqrt",
        "item_exp",
        "item_pow",
        "math_of_tensor",
        "floor_of_tensor",
        "tolist_float",
        "nonzero_len_used",
        "isinstance_guard_item",
        "text_as_key",
        "attribute_by_text",
        "text_looked_up",
        "text_compared",
        "numpy_of_item",
        "numpy_arithmetic_of_item",
        "numpy_clip_of_item",
        "format_repr_captured",
        "nonzero_len_used_captured",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, DataRead):
            if fact.operation == "tolist" and (fact.value.dtype == "bool" or is_float(fact.value.dtype)):
                kind = "bool" if fact.value.dtype == "bool" else "float"
                text = f"{quote(fact.site)} calls `.tolist()` on a {kind} tensor: strict export supports integer tensors only"
                yield Violation(
                    fact.site,
                    "tolist_float",
                    text,
                    evidence=max(Evidence.DERIVED, fact.value.evidence),
                    parameter=fact.value.param,
                )
            return
        assert isinstance(fact, Converted)
        value = fact.value
        if type(value) is Sym and value.backed:
            return
        case = (_OF_TENSOR if type(value) is Tensor else _OF_NUMBER).get(fact.target)
        if case is None:
            return
        function = dotted(fact.site.node.func) if isinstance(fact.site.node, ast.Call) else ""
        if fact.target == "int" and type(value) is Tensor and value.dtype == "bool":
            case = "int_of_bool"
        if fact.target in _BY_MATH and function.partition(".")[0] in ("math", function):
            case = _of_math(fact.target, function.rpartition(".")[2], value)
        yield Violation(
            fact.site,
            case,
            f"{quote(fact.site)} {_MESSAGES.get(fact.target, f'converts a tensor to a Python number, {_UNKNOWN}')}",
            evidence=max(Evidence.DERIVED, value.evidence) if type(value) is Tensor else value.evidence,
            origin=value.site,
            fixable=fact.target in ("int", "float", "format", "math", "len"),
            parameter=value.param if type(value) is Tensor else None,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.eager_only import eager_only
        from exportdb_rules.rewrite.numbers.conversion import len_to_shape, number_to_item
        from exportdb_rules.rewrite.numbers.plain_numbers import math_to_torch

        if context.finding.case == "nonzero_len_used":
            return (*eager_only(context), *len_to_shape(context))
        return (*eager_only(context), *number_to_item(context), *math_to_torch(context))
