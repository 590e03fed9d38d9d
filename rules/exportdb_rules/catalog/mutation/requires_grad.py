"""# requires-grad

## What it does
Finds `t.requires_grad = True`, `t.requires_grad_()` on intermediate tensors, on parameters and on modules,
`t.retain_grad()`, `torch.autograd.grad`, `torch.func.grad` and `torch.func.jacrev` in traced code.

## Why export cannot do it
Strict export does not trace autograd's own machinery. `torch.func.grad` leaves a tensor without data in the graph.

## Example
```python
def forward(self, x):
    x = x * 2
    x.requires_grad = True
    return x
```

## Use instead
```python
def forward(self, x):
    return x * 2
```

## Fix safety
`torch.func.grad` and `torch.func.jacrev` of a tensor of few elements are computed along each of them by `torch.func.jvp`:
unsafe, as it takes a pass forwards for each element; strict export takes no parameters in such a function. A line that only
keeps a gradient, or freezes a module, is left out of the export: safe. For the others no fix is offered.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB406` prints them.

## References
- torch.export docs, "Limitations"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.catalog.mutation.parameters import has_parameters
from exportdb_rules.facts import AttributeWritten, Called
from exportdb_rules.rewrite.equivalents.gradient import derivative_by_directions
from exportdb_rules.rewrite.interface.left_out import effect_in_eager
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.values import INPUT, PARAMETER, Instance, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class RequiresGrad(Rule):
    """Gradients are asked for inside the traced code."""

    code = "EDB406"
    name = "requires-grad"
    family = "mutation"
    summary = "gradients are asked for inside the traced code"
    facts = (
        Called,
        AttributeWritten,
    )
    cases = (
        "requires_grad_intermediate",
        "requires_grad_assign",
        "requires_grad_module",
        "retain_grad",
        "autograd_grad",
        "func_grad",
        "func_jacobian",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        if isinstance(fact, AttributeWritten):
            if fact.name == "requires_grad" and type(fact.owner) is Tensor:
                yield Report(fact.site, "requires_grad_assign", f"{quote(fact.site)} changes how autograd sees a tensor of the graph",
                             sure=max(1, fact.owner.sure))  # fmt: skip
            return
        assert isinstance(fact, Called)
        if fact.name == "Tensor.requires_grad_" and fact.arguments:
            receiver = fact.arguments[0]
            if type(receiver) is Tensor and receiver.origin not in (PARAMETER, INPUT):
                yield Report(fact.site, "requires_grad_intermediate",
                             f"{quote(fact.site)} makes a leaf of a tensor that the graph computes", sure=max(1, receiver.sure))  # fmt: skip
            elif type(receiver) is Tensor and receiver.origin == PARAMETER:
                yield _frozen(fact)
        elif fact.name == "torch.nn.Module.requires_grad_" and fact.arguments:
            module = fact.arguments[0]
            if type(module) is Instance and has_parameters(module):
                yield _frozen(fact)
        elif fact.name == "Tensor.retain_grad":
            yield Report(fact.site, "retain_grad", f"{quote(fact.site)} asks autograd for a gradient: strict export refuses the call",
                         fixable=True, sure=1 if fact.optional else 2)  # fmt: skip
        elif fact.name == "torch.func.jacrev":
            yield Report(fact.site, "func_jacobian", f"{quote(fact.site)} runs autograd inside the traced code: the exported program keeps a tensor without data in its place", fixable=True)  # fmt: skip
        elif fact.name == "torch.func.grad":
            yield Report(fact.site, "func_grad", f"{quote(fact.site)} runs autograd inside the traced code: the exported program keeps a tensor without data in its place", fixable=True)  # fmt: skip
        elif fact.name == "torch.autograd.grad":
            yield Report(fact.site, "autograd_grad", f"{quote(fact.site)} runs autograd inside the traced code")

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        if context.finding.case in ("func_grad", "func_jacobian"):
            return derivative_by_directions(context)
        if context.finding.case in ("retain_grad", "requires_grad_module"):
            return effect_in_eager(context)
        return ()


def _frozen(fact: Called) -> Report:
    return Report(fact.site, "requires_grad_module", f"{quote(fact.site)} changes what is trained while tracing: strict export refuses the call",
                  fixable=True, sure=1 if fact.optional else 2)  # fmt: skip
