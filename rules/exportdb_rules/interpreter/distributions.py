"""torch.distributions: objects that convert each constraint on their arguments, and on the values they are asked about, to bool.

Measured on torch 2.13 over all distributions, in both modes, with tensors and plain numbers, made before and while
tracing, with and without `validate_args=False`; source: `torch/distributions/distribution.py`, `Distribution.__init__`
and `_validate_sample`. Those of Pyro are subclasses of them, and fail as they do (measured with pyro-ppl 1.9.1).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import TruthTested
from exportdb_rules.interpreter.library import call_unmodelled, models_beginning
from exportdb_rules.lattice import choices, tensors
from exportdb_rules.project import dotted
from exportdb_rules.values import (
    ANYWHERE,
    FRESH,
    TOP,
    TRUE,
    Const,
    Evidence,
    Instance,
    Tensor,
    Value,
    is_returned,
    is_unknown,
)

if TYPE_CHECKING:
    from exportdb_rules.definitions import Module
    from exportdb_rules.interpreter.machine import Frame

_LIBRARIES: Final = ("torch.distributions.", "pyro.distributions.")
# What returns, or is, a tensor.
_METHODS: Final = frozenset(
    {"sample", "rsample", "log_prob", "entropy", "cdf", "icdf", "perplexity", "enumerate_support"}
)
_ATTRIBUTES: Final = frozenset(
    {"mean", "mode", "variance", "stddev", "probs", "logits", "loc", "scale", "low", "high", "rate", "concentration",
     "concentration0", "concentration1", "covariance_matrix", "precision_matrix", "scale_tril"}
)  # fmt: skip
_OF_TRANSFORM: Final = frozenset({"__call__", "inv", "log_abs_det_jacobian"})
# What gives a distribution of the same kind, also of Pyro's.
_SAME_DISTRIBUTION: Final = frozenset({"expand", "expand_by", "to_event", "mask"})
# Methods that validate the value they are given.
_ASKING: Final = frozenset({"log_prob", "cdf"})
# Distributions of distributions: their own parameters have no constraints.
WRAPPERS: Final = frozenset({"Independent", "TransformedDistribution", "MixtureSameFamily"})
# These make another distribution, and do not pass their `validate_args` on to it.
_MAKES_ANOTHER: Final = frozenset(
    {"StudentT", "FisherSnedecor", "Multinomial", "RelaxedBernoulli", "RelaxedOneHotCategorical", "OneHotCategorical",
     "OneHotCategoricalStraightThrough", "Wishart"}
)  # fmt: skip
_DEFAULT: Final = "set_default_validate_args"
# Among the attributes of a distribution: it will validate values, and nothing was reported where it was made.
_VALIDATES: Final = "\0validates"


def is_distribution(instance: Instance) -> bool:
    """Whether an object is one of these: a distribution, or a transform."""
    return instance.external.startswith(_LIBRARIES)


@models_beginning(*_LIBRARIES)
def _distribution(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    short = name.rpartition(".")[2]
    if not short[:1].isupper():
        found = call_unmodelled(frame, node, name, args, keywords)
        return Tensor(FRESH, evidence=Evidence.DERIVED) if short in ("kl_divergence", "check") else found
    if short.endswith("Transform"):
        return Instance(None, name, identity=("transform", name))
    reported = validated(frame, node, short, args, keywords)
    given = [c for value in (*args, *keywords.values()) for c in choices(value)] if short in WRAPPERS else []
    inner = any(type(c) is Instance and _VALIDATES in c.attributes for c in given)
    validates = not reported and (inner or (short != "Independent" and not _told_not_to(frame, args, keywords)))
    instance = Instance(None, name, identity=("distribution", name, validates))
    if validates:
        instance.attributes[_VALIDATES] = TRUE
    return instance


def _told_not_to(frame: Frame, args: list[Value], keywords: dict[str, Value]) -> bool:
    """Whether `validate_args` is False: the one argument of a distribution that may be; by default it is what the file says."""
    validate = keywords.get("validate_args") or next((a for a in args if type(a) is Const and a.value is False), None)
    if validate is None:
        return _off_by_default(frame.module.file)
    return type(validate) is Const and validate.value is False


def _off_by_default(module: Module) -> bool:
    """Whether a file calls `Distribution.set_default_validate_args(False)`, which holds for all classes of distributions: where it
    is imported, or in a constructor."""
    return module.mentions(_DEFAULT) and any(
        isinstance(node, ast.Call)
        and dotted(node.func).endswith(f".{_DEFAULT}")
        and [ast.unparse(value) for value in (*node.args, *[k.value for k in node.keywords])] == ["False"]
        for statement in module.body
        for node in ast.walk(statement)
    )


def validated(frame: Frame, node: ast.AST, short: str, args: list[Value], keywords: dict[str, Value]) -> bool:
    """A distribution is made: unless told not to, it converts each constraint on its arguments to bool.

    Args:
        short: the name of the distribution's class, without that of the library.

    Returns:
        Whether that was found to fail.
    """
    nested = short in _MAKES_ANOTHER and not _off_by_default(frame.module.file)
    if short in WRAPPERS or (_told_not_to(frame, args, keywords) and not nested):
        return False
    given = [value for name, value in (*enumerate(args), *keywords.items()) if name != "validate_args"]
    tensors = [c for value in given for c in choices(value) if type(c) is Tensor and not c.constant]
    asked = [c for c in tensors if not is_returned(c)]
    if not asked and short == "Beta":
        # It stacks its numbers for the distribution that it makes, which then checks a tensor that is no constant any more.
        asked = [Tensor(FRESH, evidence=Evidence.OBSERVED)]
    if not asked and any(map(is_unknown, given)):
        # What is not known is a tensor all the same: a distribution over plain numbers is seldom made while tracing.
        asked = [Tensor(ANYWHERE, evidence=Evidence.DERIVED)]
    if asked:
        frame.emit(TruthTested(frame.site(node), asked[0], "nested-validation" if nested else "validation", node))
        return frame.traced
    frame.emit_call(node, "torch.distributions.Distribution()", args, keywords)
    return False


def call_distribution_method(
    frame: Frame, node: ast.AST, receiver: Instance, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """A method of a distribution: those that take a value validate it first."""
    frame.emit_call(node, f"{receiver.external}.{name}", args, keywords)
    asked = [t for value in (*args, *keywords.values()) for t in tensors(value)]
    if name in _ASKING and asked and _VALIDATES in receiver.attributes:
        frame.emit(TruthTested(frame.site(node), asked[0], "validated-value", node))
    if name in _SAME_DISTRIBUTION:
        return receiver
    return Tensor(FRESH, evidence=Evidence.DERIVED) if name in _METHODS or name in _OF_TRANSFORM else TOP


def attribute_of_distribution(name: str) -> Value | None:
    """The parameters and the moments of a distribution; None for all else."""
    return Tensor(FRESH, evidence=Evidence.DERIVED) if name in _ATTRIBUTES else None
