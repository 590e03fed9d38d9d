"""# requires-grad

## What it does
Finds `t.requires_grad = True`, `t.requires_grad_()` on intermediate tensors, inputs, parameters and modules, tensors
created with `requires_grad=True`, or with the `requires_grad` of what parameters go into, `t.retain_grad()`,
`torch.autograd.grad`, `t.backward()`, `torch.autograd.functional`, and derivatives of `torch.func` (`grad`, `vjp`, `jacrev`,
`jacfwd`, `hessian`, `linearize`; `jvp` under `torch.vmap`, or of weights) in traced code, wherever the transform was made.

## Why export cannot do it
Strict export does not trace autograd itself. `torch.func.grad` leaves a tensor without data in the graph. Only forwards, by
`torch.func.jvp`, are derivatives traced.

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
A statement that only retains a gradient or disables those of a module is skipped under export: safe. `requires_grad_()` and
`requires_grad=True` apply in eager only, where the file computes no gradients: unsafe, since the exported program may return
a tensor that does not require a gradient. There is no fix for the other calls.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB406` prints them.

## References
- torch.export docs, "Limitations"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.catalog.mutation.parameters import has_parameters
from exportdb_rules.facts import AttributeWritten, Called, Differentiated
from exportdb_rules.interpreter.gradients import is_learned
from exportdb_rules.lattice import contained, tensors
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import INPUT, PARAMETER, Const, Evidence, Instance, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import DerivativeForm, Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.values import Value


# Of tensors; of the functions of torch any may be told to make a tensor that requires grad.
_METHODS: Final = ("Tensor.requires_grad_", "Tensor.retain_grad", "Tensor.backward")
_AUTOGRAD: Final = {
    "Tensor.backward": "backward",
    "torch.autograd.backward": "backward",
    "torch.autograd.grad": "autograd_grad",
}
_REJECTED: Final = "runs autograd in traced code: strict export rejects the call"
_KEPT: Final = (
    "differentiates layers whose backward pass needs a tensor that the trace does not have: "
    "neither mode can put the gradient into the program"
)
_WEIGHTS: Final = (
    "differentiates a function that reads weights before any other code does: strict export cannot trace that"
)
_DERIVATIVES: Final[dict[DerivativeForm, tuple[str, str]]] = {
    "backwards": ("func_grad", "runs autograd in traced code: the exported program contains a tensor without data instead of the gradient"),
    "whole": ("func_grad_linear", "runs autograd through `linear`, `einsum` or attention: neither mode can trace that"),
    "weights": ("func_grad_weights", f"{_WEIGHTS}, and of non-strict export the program contains a tensor without data"),
    "mapped": ("func_grad_vmap", "takes a derivative under `torch.vmap`: neither mode can trace that"),
    "linearize": ("func_linearize", "linearizes a function in traced code: neither mode can trace that"),
}  # fmt: skip


class RequiresGrad(Rule):
    """Autograd is called or reconfigured in traced code."""

    code = "EDB406"
    name = "requires-grad"
    family = "mutation"
    summary = "Autograd is called or reconfigured in traced code"
    no_fix = NoFix.GRADIENT_IN_FORWARD
    facts = (
        Called,
        AttributeWritten,
        Differentiated,
    )
    cases = (
        "requires_grad_intermediate",
        "requires_grad_assign",
        "requires_grad_created",
        "requires_grad_module",
        "requires_grad_input",
        "retain_grad",
        "autograd_grad",
        "autograd_grad_layer",
        "autograd_functional",
        "func_grad",
        "func_jacobian",
        "func_grad_linear",
        "func_grad_weights",
        "func_grad_vmap",
        "func_jvp_weights",
        "func_linearize",
        "backward",
        "backward_layer",
        "requires_grad_intermediate_captured",
    )

    def wants(self, name: str, goals: frozenset[str]) -> bool:
        """See `Rule.wants`."""
        return name.startswith("torch.") or name in _METHODS

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, AttributeWritten):
            if fact.name == "requires_grad" and type(fact.owner) is Tensor:
                yield Violation(fact.site, "requires_grad_assign", f"{quote(fact.site)} is assigned while tracing: strict export rejects the assignment", fixable=True,
                             evidence=max(Evidence.DERIVED, fact.owner.evidence))  # fmt: skip
            return
        if isinstance(fact, Differentiated):
            case, reason = _DERIVATIVES[fact.form]
            if fact.transform == "jacrev" and fact.form == "backwards":
                case = "func_jacobian"
            elif fact.transform == "jvp" and fact.form == "weights":
                case, reason = "func_jvp_weights", _WEIGHTS
            yield Violation(fact.site, case, f"{quote(fact.site)} {reason}")
            return
        assert isinstance(fact, Called)
        if _makes_leaf(fact):
            yield Violation(fact.site, "requires_grad_created", f"{quote(fact.site)} creates a tensor that requires grad while tracing: strict export rejects the call", fixable=True,
                         evidence=Evidence.DERIVED if fact.optional or not _says_true(fact) else Evidence.OBSERVED)  # fmt: skip
        elif fact.name == "Tensor.requires_grad_" and fact.arguments:
            receiver = fact.arguments[0]
            if type(receiver) is Tensor and not receiver.requires_grad and _says_false(fact):
                return  # it stays as it is
            if type(receiver) is Tensor and receiver.origin not in (PARAMETER, INPUT):
                yield Violation(fact.site, "requires_grad_intermediate",
                             f"{quote(fact.site)} is called on an intermediate (non-leaf) tensor: strict export rejects it", fixable=True, evidence=max(Evidence.DERIVED, receiver.evidence))  # fmt: skip
            elif type(receiver) is Tensor and receiver.origin == PARAMETER:
                if not _says_true(fact):  # a parameter requires grad, as a rule
                    yield _frozen(fact)
            elif type(receiver) is Tensor and not _says_false(fact):
                # An example input may require grad already.
                yield Violation(fact.site, "requires_grad_input",
                             f"{quote(fact.site)} changes `requires_grad` of an input: strict export rejects it", fixable=True, evidence=Evidence.DERIVED, parameter=receiver.param)  # fmt: skip
        elif fact.name == "torch.nn.Module.requires_grad_" and fact.arguments:
            module = fact.arguments[0]
            if type(module) is Instance and has_parameters(module) and not _says_true(fact):
                yield _frozen(fact)
        elif fact.name == "Tensor.retain_grad":
            yield Violation(fact.site, "retain_grad", f"{quote(fact.site)} retains a gradient while tracing: strict export rejects the call",
                         fixable=True, evidence=Evidence.DERIVED if fact.optional else Evidence.OBSERVED)  # fmt: skip
        elif fact.name.startswith("torch.autograd.functional."):
            yield Violation(fact.site, "autograd_functional", f"{quote(fact.site)} {_REJECTED}")
        elif fact.name in _AUTOGRAD and _goes_through_kept(fact):
            yield Violation(fact.site, f"{_AUTOGRAD[fact.name]}_layer", f"{quote(fact.site)} {_KEPT}", evidence=Evidence.DERIVED)  # fmt: skip
        elif fact.name in _AUTOGRAD:
            case = _AUTOGRAD[fact.name]
            weaker = case == "backward" and fact.optional
            yield Violation(fact.site, case, f"{quote(fact.site)} {_REJECTED}", evidence=Evidence.DERIVED if weaker else Evidence.OBSERVED)  # fmt: skip

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.left_out import effect_in_eager
        from exportdb_rules.rewrite.interface.under_export import leaf_in_eager

        if context.finding.case in ("retain_grad", "requires_grad_module"):
            return effect_in_eager(context)
        return leaf_in_eager(context)


def _goes_through_kept(fact: Called) -> bool:
    keywords = dict(fact.keywords)
    outputs = fact.arguments[0] if fact.arguments else keywords.get("outputs", keywords.get("tensors"))
    return outputs is not None and any(one.kept for part in (outputs, *contained(outputs)) for one in tensors(part))


def _makes_leaf(fact: Called) -> bool:
    """Whether a constructor of torch is told to make a tensor that requires grad; of `x.new_zeros` the flag is ignored."""
    asked = dict(fact.keywords).get("requires_grad")
    asks = asked is not None and (is_learned(asked) or (type(asked) is Const and asked.value is True))
    return asks and fact.name.startswith("torch.")


def _says_false(fact: Called) -> bool:
    """Whether a gradient is switched off."""
    asked = _asked(fact)
    return type(asked) is Const and asked.value is False


def _says_true(fact: Called) -> bool:
    """Whether a gradient is switched on: by default, it is."""
    asked = _asked(fact)
    return asked is None or (type(asked) is Const and asked.value is True)


def _asked(fact: Called) -> Value | None:
    return fact.arguments[1] if len(fact.arguments) > 1 else dict(fact.keywords).get("requires_grad")


def _frozen(fact: Called) -> Violation:
    return Violation(fact.site, "requires_grad_module", f"{quote(fact.site)} changes `requires_grad` of parameters while tracing: strict export rejects the call",
                  fixable=True, evidence=Evidence.DERIVED if fact.optional else Evidence.OBSERVED)  # fmt: skip
