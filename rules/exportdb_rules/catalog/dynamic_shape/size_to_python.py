"""# size-to-python

## What it does
Finds `int(n)`, `float(n)`, `len(x)`, `x.shape[1:].numel()`, `math.sqrt(n)`, `isinstance(n, int)` and formatted
strings of a dynamic size, of which `"%d" % n` asks for the number; `values[n]` and `values[:n]` of a Python list; a size next to others in the index of a tensor
(`x[:, n - 1]` for strict export, `x[0, n] = 0` and `x[rows, n]` for both modes); functions of numpy of a dynamic size;
`divmod(n, 2)`, which torch's symbols do not have; operators that read a size as a plain number (`torch.linspace`, windows, `fftfreq`, `one_hot`, `tril_indices`, `affine_grid`,
`torch.as_tensor`, `torch.LongTensor` and its kin, `new_tensor`; the kernel of a pooling, `n_fft` of `stft`, the power of a
matrix), or as a plain float (`eps`, `p`, `scale`, the `value` of a pad); recurrent layers and `max_pool1d` over a dynamic
length; `torch.einsum` of three or more operands if
opt_einsum is installed: it reads the sizes to optimize the contraction order; a dynamic size of `torch.rand`,
`torch.randn`, `torch.randint` or `torch.randperm` under `generator=`, be it None; and the text of a size as a key, as the
name of an attribute, or compared with another text.

## Why export cannot do it
These return or require a plain number, so export specializes the size to the example's. A recurrent layer is unrolled
step by step. The overloads with `generator=` take plain ints: `torch.empty(…).normal_(generator=…)` draws the same
numbers for any size. The text of a size is the name of its symbol in non-strict mode.

## Example
```python
def forward(self, x):
    return x / math.sqrt(x.shape[0])
```

## Use instead
```python
def forward(self, x):
    return x / x.shape[0] ** 0.5
```

## Fix safety
Safe: `x.shape[0]`, `math.prod(x.shape[1:])`, `n // 2`, `torch.sym_float(n)`, `torch.sym_int(…)` and
`isinstance(n, (int, torch.SymInt))` compute in eager what the original code computes. `torch.cond` between the two calls of an operator that requires a
plain bool runs only the selected call in eager, with a warning: unsafe. `scatter` accepts labels that `one_hot`
rejects: unsafe. A root, a logarithm, the steps of `torch.linspace` and windows may differ in the last digit, and
`torch.einsum` of two operands at a time adds up in a different order: unsafe.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB304` prints them.

## References
- torch docs, "Dynamic shapes"
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import dotted
from exportdb_rules.facts import Converted
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.terms import frozen
from exportdb_rules.values import Evidence, Sym
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import ConversionTarget, Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


_CASES: Final[dict[ConversionTarget, str]] = {
    "int": "int_of_size",
    "index": "list_at_size",
    "divmod": "divmod_of_size",
    "bits": "list_at_size",
    "numpy": "numpy_of_size",
    "numpy arithmetic": "numpy_arithmetic_of_size",
    "len": "len_of_tensor",
    "numel": "numel_of_shape",
    "float": "float_of_size",
    "math": "math_sqrt",
    "isinstance": "isinstance_int",
    **dict.fromkeys(("guard", "checked"), "isinstance_guard"),
    "format": "format_size",
    "percent": "percent_of_size",
    "flag": "bool_of_symbool",
    "einsum": "einsum_of_three",
    # einx compiles each expression for the numbers that the sizes are (measured with einx 0.4).
    "einx": "as_tensor_of_size",
    "linspace": "linspace_of_size",
    "window": "window_of_size",
    "frequencies": "fftfreq_of_size",
    "triangle": "triangle_indices_of_size",
    "one_hot": "one_hot_of_size",
    "grid": "affine_grid_of_size",
    "as_tensor": "as_tensor_of_size",
    "like_tensor": "new_tensor_of_size",
    "recurrent": "recurrent_over_time",
    "max_pool1d": "max_pool1d_dynamic",
    "generator": "generator_and_size",
    "bound": "generator_and_bound",
    "pool": "pool_over_all",
    "plain float": "plain_float_by_size",
    "plain int": "plain_int_by_size",
    "position": "index_tuple_by_size",
    "written position": "index_assign_by_size",
    "name": "size_text_as_key",
    "attribute": "attribute_by_size_text",
    "lookup": "size_text_looked_up",
    "text": "size_text_compared",
}
# Functions of `math` that strict export does not keep as symbols either, as it keeps the root.
_OF_MATH: Final = {
    **dict.fromkeys(("log", "log10", "log1p", "exp", "expm1"), "math_log"),
    **dict.fromkeys(("log2", "isqrt"), "math_log2"),
    "pow": "math_pow",
}
# The same under a named Dim, which promises more than `Dim.AUTO`, as far as that was measured.
_NAMED = (
    "int_of_size_named",
    "percent_of_size_named",
    "len_of_tensor_named",
    "einsum_of_three_named",
    "linspace_of_size_named",
    "window_of_size_named",
    "fftfreq_of_size_named",
    "triangle_indices_of_size_named",
    "one_hot_of_size_named",
    "affine_grid_of_size_named",
    "as_tensor_of_size_named",
    "new_tensor_of_size_named",
    "recurrent_over_time_named",
    "max_pool1d_dynamic_named",
    "max_pool1d_dynamic_dynamic",
    "generator_and_bound_named",
    "pool_over_all_named",
    "plain_float_by_size_named",
    "plain_int_by_size_named",
    "math_sqrt_named",
    "math_log_named",
    "math_log2_named",
    "numel_of_shape_named",
    "float_of_size_named",
    "list_at_size_named",
    "math_pow_named",
    "numpy_of_size_named",
    "numpy_arithmetic_of_size_named",
    "index_tuple_by_size_named",
    "index_assign_by_size_named",
)
# Under `Dim.DYNAMIC`, which may not be specialized.
_DYNAMIC = (
    "int_half_dynamic",
    "int_of_size_dynamic",
    "percent_of_size_dynamic",
    "len_of_tensor_dynamic",
    "numel_of_shape_dynamic",
    "float_of_size_dynamic",
    "math_sqrt_dynamic",
    "einsum_of_three_dynamic",
    "linspace_of_size_dynamic",
    "window_of_size_dynamic",
    "fftfreq_of_size_dynamic",
    "triangle_indices_of_size_dynamic",
    "one_hot_of_size_dynamic",
    "affine_grid_of_size_dynamic",
    "as_tensor_of_size_dynamic",
    "new_tensor_of_size_dynamic",
    "recurrent_over_time_dynamic",
    "recurrent_over_half_dynamic",
    "generator_and_bound_dynamic",
    "math_log_dynamic",
    "math_log2_dynamic",
    "pool_over_all_dynamic",
    "plain_float_by_size_dynamic",
    "plain_int_by_size_dynamic",
    "plain_int_by_half_dynamic",
    "list_at_size_dynamic",
    "math_pow_dynamic",
    "numpy_of_size_dynamic",
    "numpy_arithmetic_of_size_dynamic",
    "index_tuple_by_size_dynamic",
    "index_assign_by_size_dynamic",
)
# And under a `ShapeVar`.
_UNBACKED = (
    "int_of_size_unbacked",
    "len_of_tensor_unbacked",
    "float_of_size_unbacked",
    "math_sqrt_unbacked",
    "isinstance_int_unbacked",
    "linspace_of_size_unbacked",
    "window_of_size_unbacked",
    "triangle_indices_of_size_unbacked",
    "one_hot_of_size_unbacked",
    "affine_grid_of_size_unbacked",
    "as_tensor_of_size_unbacked",
    "recurrent_over_time_unbacked",
    "max_pool1d_dynamic_unbacked",
)
_READING: Final[tuple[ConversionTarget, ...]] = (
    "linspace",
    "window",
    "frequencies",
    "triangle",
    "one_hot",
    "grid",
    "as_tensor",
    "like_tensor",
    "max_pool1d",
    "bound",
    "plain float",
    "plain int",
)
_OF_TEXT: Final[tuple[ConversionTarget, ...]] = ("name", "attribute", "lookup", "text")
_UNFIXED = (
    "frequencies",
    "grid",
    "einx",
    "recurrent",
    "max_pool1d",
    "generator",
    "bound",
    "pool",
    "plain float",
    "plain int",
    "checked",
    "index",
    "divmod",
    "bits",
    "numpy",
    "numpy arithmetic",
    *_OF_TEXT,
)
_FROZEN: Final = "the size is specialized to the example's"
_CONVERTED: Final = f"{{}} converts a dynamic size to a plain Python value: {_FROZEN}"
_MESSAGES: Final[dict[ConversionTarget, str]] = {
    "einsum": f"{{}} lets opt_einsum choose the contraction order, which reads sizes: {_FROZEN}",
    "einx": f"{{}} lets einx compile the expression for the sizes of the example: {_FROZEN}",
    "recurrent": "{} is unrolled over a dynamic sequence length: the length is specialized to the example's",
    "index": f"{{}} takes a dynamic size for a plain Python number: {_FROZEN}",
    **dict.fromkeys(
        ("position", "written position"),
        f"The index {{}} takes a dynamic size for a plain number, as it stands next to other indices: {_FROZEN}. Index one "
        "dimension at a time, as with `.select(…)`",
    ),
    "divmod": "{} is not defined for the symbol that a dynamic size is while tracing: use `//` and `%`",
    **dict.fromkeys(
        ("numpy", "numpy arithmetic"),
        "{} passes a dynamic size to numpy, where it is a symbol while tracing. Use `math` or torch",
    ),
    "guard": "{} raises: a dynamic size is a `torch.SymInt` while tracing, not an `int`. Allow `torch.SymInt` as well",
    "checked": "{} passes a dynamic size, a `torch.SymInt` while tracing, where the function, or its decorator, checks for a plain "
    "number",
    "pool": f"{{}} pools a whole dynamic dimension to 1: {_FROZEN}. Use `mean` or `amax`",
    "generator": "{} draws a dynamic number of values under `generator=`, whose overload takes plain ints only: fill "
    "`torch.empty(…)` in place instead, as with `.normal_(generator=…)`",
    **dict.fromkeys(_OF_TEXT, "{} uses the text of a dynamic size, which is the name of its symbol while tracing"),
    **dict.fromkeys(_READING, f"{{}} reads a dynamic size as a plain number: {_FROZEN}"),
}


def _called(node: ast.AST) -> str:
    """The short name of a function that is called."""
    return dotted(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""


class SizeToPython(Rule):
    """A dynamic size is converted to a plain Python number."""

    code = "EDB304"
    name = "size-to-python"
    family = "dynamic_shape"
    summary = "A dynamic size is converted to a plain Python number"
    facts = (Converted,)
    cases = (
        *_CASES.values(),
        "plain_int_by_half",
        "math_log_auto",
        "math_log2",
        "math_pow",
        *_NAMED,
        *_DYNAMIC,
        *_UNBACKED,
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Converted)
        value = fact.value
        if type(value) is not Sym or not value.backed:
            return
        case = _CASES.get(fact.target)
        if case is None:
            return
        read = value.term
        if case == "int_of_size" and value.type == "float" and context.dimensions == "dynamic":
            case, read = "int_half", None  # a guard on the truncation is adopted, which leaves the size a symbol
        if case == "math_sqrt":
            case = _OF_MATH.get(_called(fact.site.node), case)
        message = _MESSAGES.get(fact.target, _CONVERTED).format(quote(fact.site))
        of_quotient = fact.target == "numpy arithmetic" and value.type == "float"
        demand = None if fact.target == "divmod" else frozen(value.term)
        yield Violation(
            fact.site,
            context.sized(case, read),
            message,
            # What numpy rounds may be the quotient of two sizes, for which a guard is adopted.
            evidence=min(Evidence.DERIVED, value.evidence) if of_quotient else value.evidence,
            fixable=fact.target not in _UNFIXED or demand is not None,
            demand=demand,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.branching.flags import flag_to_cond
        from exportdb_rules.rewrite.interface.declarations import declaration_fixes
        from exportdb_rules.rewrite.interface.eager_only import eager_only
        from exportdb_rules.rewrite.numbers.indexing import subscripts_apart
        from exportdb_rules.rewrite.numbers.size_operators import operator_of_size
        from exportdb_rules.rewrite.numbers.sizes import size_kept_symbolic

        if context.finding.case == "bool_of_symbool":
            return flag_to_cond(context)
        if context.finding.case.startswith(("index_tuple_by_size", "index_assign_by_size")):
            return (*subscripts_apart(context), *declaration_fixes(context))
        return (
            *eager_only(context),
            *size_kept_symbolic(context),
            *operator_of_size(context),
            *declaration_fixes(context),
        )
