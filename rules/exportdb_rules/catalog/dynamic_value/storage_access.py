"""# storage-access

## What it does
Finds `copy.deepcopy(t)`, `copy.copy(t)`, `t.data_ptr()` and `t.untyped_storage().data_ptr()` on tensors of the graph,
and `copy.deepcopy` of a module with parameters.

## Why export cannot do it
Export traces with fake tensors, which have a shape and a dtype but no storage.

## Example
```python
def forward(self, x):
    y = copy.deepcopy(x)
    return y.add_(1)
```

## Use instead
```python
def forward(self, x):
    y = x.clone()
    return y.add_(1)
```

## Fix safety
`.clone()` is recorded by autograd, `deepcopy` is not: unsafe. `.detach()` shares the storage as `copy.copy` does, but
the result is never a Parameter: unsafe. There is no fix for a copy of a module.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB207` prints them.

## References
- Graph break: deepcopy of a tensor
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.catalog.mutation.parameters import evidence_of_parameters
from exportdb_rules.facts import Called, DataRead
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class StorageAccess(Rule):
    """Tensor storage is accessed."""

    code = "EDB207"
    name = "storage-access"
    family = "dynamic_value"
    summary = "Tensor storage is accessed"
    facts = (DataRead, Called)
    cases = ("deepcopy_tensor", "deepcopy_container", "copy_tensor", "deepcopy_module", "data_ptr")
    calls = ("copy.deepcopy",)

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, Called):
            evidence = evidence_of_parameters(fact)
            if evidence is not None:
                text = (
                    f"{quote(fact.site)} copies the storage of the module's parameters, which fake tensors do not have"
                )
                yield Violation(fact.site, "deepcopy_module", text, evidence=evidence)
            return
        assert isinstance(fact, DataRead)
        case = {
            "deepcopy": "deepcopy_tensor",
            "deepcopy of container": "deepcopy_container",
            "copy": "copy_tensor",
            "data_ptr": "data_ptr",
        }.get(fact.operation)
        if case is None:
            return
        yield Violation(
            fact.site,
            case,
            f"{quote(fact.site)} accesses the tensor's storage, which fake tensors do not have",
            evidence=max(Evidence.DERIVED, fact.value.evidence),
            fixable=fact.operation in ("deepcopy", "copy"),
            parameter=fact.value.param,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.numbers.conversion import copy_to_detach, deepcopy_to_clone

        return (*deepcopy_to_clone(context), *copy_to_detach(context))
