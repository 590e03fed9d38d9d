"""# storage-access

## What it does
Finds `copy.deepcopy(t)`, `copy.copy(t)`, `t.data_ptr()` and `t.untyped_storage().data_ptr()` on tensors of the graph,
`t.as_subclass(cls)`, which makes another Python object of the same storage, and `copy.deepcopy` of a module with parameters.

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

from typing import TYPE_CHECKING, Final

from exportdb_rules.catalog.mutation.parameters import evidence_of_parameters
from exportdb_rules.facts import Called, DataRead
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence, External, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


_AS_SUBCLASS: Final = "Tensor.as_subclass"


def _as_subclass(fact: Called) -> Iterable[Violation]:
    """What strict export does hangs on the class: it takes one of the file, and not `torch.Tensor`."""
    tensor = next((value for value in fact.arguments if type(value) is Tensor), None)
    given = [*fact.arguments[1:], *(value for _, value in fact.keywords)]
    plain = any(type(value) is External and value.name == "torch.Tensor" for value in given)
    if tensor is not None:
        yield Violation(
            fact.site,
            "as_subclass_tensor" if plain else "as_subclass_other",
            f"{quote(fact.site)} makes another object of the tensor's storage, which fake tensors do not have",
            evidence=max(Evidence.DERIVED, tensor.evidence),
            parameter=tensor.param,
        )


class StorageAccess(Rule):
    """Tensor storage is accessed."""

    code = "EDB207"
    name = "storage-access"
    family = "dynamic_value"
    summary = "Tensor storage is accessed"
    no_fix = NoFix.NEEDS_AUTHOR  # what the copy is for
    facts = (DataRead, Called)
    cases = (
        "deepcopy_tensor",
        "deepcopy_container",
        "copy_tensor",
        "deepcopy_module",
        "data_ptr",
        "as_subclass_tensor",
        "as_subclass_other",
    )
    calls = ("copy.deepcopy", _AS_SUBCLASS)

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, Called) and fact.name == _AS_SUBCLASS:
            yield from _as_subclass(fact)
            return
        if isinstance(fact, Called):
            evidence = evidence_of_parameters(fact, context.project)
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
