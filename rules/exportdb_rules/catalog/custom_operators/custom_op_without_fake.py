"""# custom-op-without-fake

## What it does
Finds calls of custom operators that the project defines (`torch.library.custom_op`, `torch.library.define`) without
registering a fake kernel. An operator that returns nothing needs none.

## Why export cannot do it
Export traces with fake tensors, which have no data. Only a fake kernel can compute the shape and dtype of the
operator's result from them.

## Example
```python
@torch.library.custom_op("net::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2

class Net(torch.nn.Module):
    def forward(self, x):
        return double(x) + 1
```

## Use instead
```python
@torch.library.custom_op("net::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2

@double.register_fake
def _(x):
    return torch.empty_like(x)

class Net(torch.nn.Module):
    def forward(self, x):
        return double(x) + 1
```

## Fix safety
A kernel that consists of torch operators and reads no tensor values can serve as its own fake kernel: the fix, which is
safe, registers a copy. For any other kernel only its author knows the shape of the result, so a stub to fill in is
offered.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB801` prints them.

## References
- torch docs, `torch.library.custom_op`, `torch.library.register_fake`
- torch, "Custom Operators Manual"
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from exportdb_rules.definitions import dotted, is_one_of
from exportdb_rules.facts import OperatorCalled
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.definitions import FunctionInfo
    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

# Kernels that serve fake tensors too.
_ENOUGH = re.compile(r"""["'](?:Meta|CompositeImplicitAutograd|CompositeExplicitAutograd\w*)["']""")


class OperatorWithoutFake(Rule):
    """A custom operator has no fake kernel."""

    code = "EDB801"
    name = "custom-op-without-fake"
    family = "custom_operators"
    summary = "A custom operator has no fake kernel"
    facts = (OperatorCalled,)
    cases = ("custom_op_without_fake", "library_define_without_fake")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, OperatorCalled)
        if fact.function is not None:
            missing = _defined_without(fact.function)
            case, here = "custom_op_without_fake", fact.function.module.file is fact.site.module
        else:
            missing = _declared_without(fact.site.module.text, fact.name)
            case, here = "library_define_without_fake", True
        if missing:
            message = f"`{fact.name}` has no fake kernel, so the shape of its result is unknown while tracing: add one with `register_fake`"
            evidence = Evidence.OBSERVED if here else Evidence.DERIVED
            yield Violation(fact.site, case, message, evidence=evidence, fixable=True)

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.fake_kernel import fake_kernel

        return fake_kernel(context)


def _defined_without(function: FunctionInfo) -> bool:
    """Whether a function under `@custom_op` returns something and no fake kernel is registered in its file."""
    node = function.node
    if isinstance(node, ast.Lambda):
        return False
    if isinstance(node.returns, ast.Constant) and node.returns.value is None:
        return False
    text = function.module.text
    if f"{function.name}.register_fake" in text or f"register_fake({function.name}" in text:
        return False
    return not any(_has_fake(text, name) for name in _operator_names(node))


def _operator_names(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """The `namespace::name` given to `@custom_op`; '' where it is not a literal, which matches any registration."""
    found: list[str] = []
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and is_one_of(dotted(decorator.func), ("custom_op",)):
            first = decorator.args[0] if decorator.args else None
            known = isinstance(first, ast.Constant) and isinstance(first.value, str)
            found.append(first.value if known else "")  # type: ignore[union-attr]
    return found or [""]


def _declared_without(text: str, name: str) -> bool:
    """Whether a file declares `namespace::name` with `define`, or with that of its `Library`, and neither a fake nor a
    composite kernel for it."""
    if _has_fake(text, name) or _ENOUGH.search(text) is not None:
        return False
    if re.search(rf"""define\(\s*["']{re.escape(name)}["'(]""", text) is not None:
        return True
    namespace, _, operator = map(re.escape, name.partition("::"))
    library = re.search(rf"""Library\(\s*["']{namespace}["']\s*,\s*["']DEF["']""", text)
    return library is not None and (
        re.search(rf"""\.define\(\s*["']{operator}\(""", text) is not None
        and re.search(rf"""_register_fake\(\s*["']{operator}["']""", text) is None
    )


def _has_fake(text: str, name: str) -> bool:
    quoted = re.escape(name) if name else ""
    return re.search(rf"""(?:register_fake|impl_abstract|register_meta)\(\s*["']{quoted}""", text) is not None
