"""Distributions, which look at the data of their arguments, with that check in the graph.

Measured on torch 2.13, in both modes, with arguments in and out of their range and with NaN: `validate_args=False`
exports, and the constraints of the distribution itself say in the graph what the constructor and `log_prob` ask in
eager. Distributions that hold another one ask that one too, and are not written out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit
from exportdb_rules.interpreter.distributions import WRAPPERS
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.fix_site import FixSite, always_computed, new_name
from exportdb_rules.rewrite.known.modules import submodules
from exportdb_rules.rewrite.known.mutation import is_pure
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, below, dotted, enclosing, occurrences, replace_all, with_keyword

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

CHECKED: Final = "Check the arguments with runtime assertions"
PARAMETERS: Final = "Check only the parameters, with runtime assertions"
VALIDATION: Final = "Pass validate_args=False"

# The parameters of each distribution that its constructor checks, in their order.
_PARAMETERS: Final = {
    **dict.fromkeys(("Normal", "Laplace", "Cauchy", "Gumbel", "LogNormal"), ("loc", "scale")),
    **dict.fromkeys(("Bernoulli", "Categorical"), ("probs", "logits")),
    **dict.fromkeys(("Beta", "Kumaraswamy"), ("concentration1", "concentration0")),
    **dict.fromkeys(("Exponential", "Poisson"), ("rate",)),
    **dict.fromkeys(("HalfNormal", "HalfCauchy"), ("scale",)),
    "Gamma": ("concentration", "rate"),
    "Dirichlet": ("concentration",),
    "VonMises": ("loc", "concentration"),
    "Uniform": ("low", "high"),
}  # fmt: skip
# Methods that look at a value, and those that look at nothing.
_ASKING: Final = frozenset(("log_prob", "cdf"))
_QUIET: Final = frozenset(
    ("sample", "rsample", "mean", "mode", "variance", "stddev", "entropy", "loc", "scale", "probs", "logits", "low",
     "high", "rate", "concentration", "concentration0", "concentration1", "batch_shape", "event_shape")
)  # fmt: skip


def distribution_checked(context: FixContext) -> tuple[Fix, ...]:
    """`validate_args=False` for a distribution, and its checks as assertions of the graph.

    `unsafe`: what fails is no ValueError any more. Where a distribution goes elsewhere, the values that it is asked about
    are not checked any more; one that is none of those known here is not checked at all.
    """
    return (
        make_fix(context, CHECKED, Applicability.UNSAFE, _checked)
        or make_fix(context, PARAMETERS, Applicability.UNSAFE, lambda place: _checked(place, values=False))
        or make_fix(context, VALIDATION, Applicability.UNSAFE, _unchecked)
    )


def distribution_unchecked(context: FixContext) -> tuple[Fix, ...]:
    """`validate_args=False` alone, for a distribution of plain numbers: `unsafe`, what it is asked about is not checked."""
    return make_fix(context, VALIDATION, Applicability.UNSAFE, _unchecked)


def distribution_made_elsewhere(context: FixContext) -> tuple[Fix, ...]:
    """`validate_args=False` where the distribution is made that is called here: `unsafe`, values are not checked any more."""
    return make_fix(context, VALIDATION, Applicability.UNSAFE, _unchecked_elsewhere)


def _unchecked_elsewhere(place: FixSite) -> Iterable[Edit]:
    call = place.call()
    if call is None or not isinstance(call.func, cst.Attribute) or call.func.attr.value not in _ASKING:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a method of a distribution")
    receiver = call.func.value
    owner, _, name = dotted(receiver).rpartition(".")
    kept = submodules(place.tree.module, place.owner).calls.get(name) if owner == "self" else None
    made = receiver if isinstance(receiver, cst.Call) else kept
    if made is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "made by more than one call, or elsewhere")
    return replaced(place.tree, made, _quiet(made))


def _quiet(call: cst.Call) -> cst.Call:
    """The call of a distribution's class, told not to validate; with the distributions that it is made of."""
    kind = dotted(call.func).rpartition(".")[2]
    if not kind[:1].isupper() or any(a.star for a in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call of a class")
    if kind in WRAPPERS:
        parts = [a.value for a in call.args if isinstance(a.value, cst.Call) and not _is_transform(a.value)]
        if len(parts) != (2 if kind == "MixtureSameFamily" else 1):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "made of distributions that are made elsewhere")
        call = replace_all(call, [(part, _quiet(part)) for part in parts])
    said = arguments(call.args).named.get("validate_args")
    if said is not None and dotted(said) != "False":
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "validate_args is passed")
    return call if said is not None or kind == "Independent" else _told_not_to(call)


def _is_transform(call: cst.Call) -> bool:
    return dotted(call.func).endswith("Transform")


def _unchecked(place: FixSite) -> Iterable[Edit]:
    call = _constructor(place)
    return replaced(place.tree, call, _told_not_to(call))


def _constructor(place: FixSite) -> cst.Call:
    """The call that makes the distribution."""
    call = place.call()
    if call is None or any(a.star or (a.keyword is not None and a.keyword.value == "validate_args") for a in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain call")
    if not dotted(call.func).rpartition(".")[2][:1].isupper():
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call of a class")
    return call


def _told_not_to(call: cst.Call) -> cst.Call:
    return with_keyword(call, "validate_args", "False")


def _checked(place: FixSite, *, values: bool = True) -> Iterable[Edit]:
    """The edits that check a distribution; `values`: also what its methods are asked about."""
    call, line = _constructor(place), place.statement()
    kind = dotted(call.func).rpartition(".")[2]
    block = place.path[place.path.index(line) - 1] if line is not None else None
    if kind not in _PARAMETERS or not isinstance(block, cst.IndentedBlock) or not always_computed(place):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "not known, or not always made")
    assert isinstance(line, cst.SimpleStatementLine)
    if len(line.body) != 1 or not is_pure(line):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the line has another side effect")
    made, parent = place.tree.code(_told_not_to(call)), place.path[place.path.index(call) - 1]
    small = line.body[0]
    if isinstance(small, cst.Assign) and small.value is call:
        target = small.targets[0].target
        if len(small.targets) != 1 or not isinstance(target, cst.Name):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not one name")
        rest = list(block.body[block.body.index(line) + 1 :])
        asking = _asking(place, target.value, rest) if values else []
        lines = [f"{target.value} = {made}", *_conditions(place, call, kind, target.value)]
        return [_instead(place, small, lines), *[edit for one in asking for edit in _asked(place, one, target.value)]]
    method = parent.attr.value if isinstance(parent, cst.Attribute) else ""
    name = new_name(place, "distribution")
    lines = [f"{name} = {made}", *_conditions(place, call, kind, name)]
    span = place.tree.span(call)
    assert span is not None
    if not values:
        return [_above(place, line, lines), Edit(span, name)]
    if method in _ASKING:
        user = place.path[place.path.index(call) - 2]
        if not isinstance(user, cst.Call):
            raise FixNotApplicable(NoFix.FUNCTION_USED_ELSEWHERE, "the method is stored")
        value, before = _value(place, user)
        lines += [*before, _supported(place, name, value, not before)]
        if before:
            given = place.tree.span(user.args[0].value)
            assert given is not None
            return [_above(place, line, lines), Edit(span, name), Edit(given, value)]
    elif method not in _QUIET:
        raise FixNotApplicable(NoFix.RESULT_USED, "the distribution goes elsewhere")
    return [_above(place, line, lines), Edit(span, name)]


def _conditions(place: FixSite, call: cst.Call, kind: str, name: str) -> list[str]:
    """The assertions that stand for the check of the constructor."""
    order = _PARAMETERS[kind]
    given = {a.keyword.value for a in call.args if a.keyword is not None}
    given |= {*order[: sum(a.keyword is None for a in call.args)]}
    if kind in ("Bernoulli", "Categorical") and len(given) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "probabilities or logits")
    if not given <= {*order} or sum(a.keyword is None for a in call.args) > len(order):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    if kind == "Uniform":
        return [
            f'{place.torch}._assert_async(({name}.low < {name}.high).all(), "Uniform is not defined when low >= high")'
        ]
    return [
        f'{place.torch}._assert_async({name}.arg_constraints["{p}"].check({name}.{p}).all(), "{p} of {kind} is out of range")'
        for p in order
        if p in given
    ]


def _supported(place: FixSite, name: str, value: str, own: bool) -> str:
    text = f"{value if own else 'the value'} is outside of the support"
    return f'{place.torch}._assert_async({name}.support.check({value}).all(), "{text}")'


def _value(place: FixSite, user: cst.Call) -> tuple[str, list[str]]:
    """The value that a method is asked about, by name, and the line that binds a new one to it."""
    if len(user.args) != 1 or user.args[0].star or user.args[0].keyword is not None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    node = user.args[0].value
    if isinstance(node, cst.Name):
        return node.value, []
    name = new_name(place, "value")
    return name, [f"{name} = {place.tree.code(node)}"]


def _asking(place: FixSite, name: str, rest: Sequence[cst.CSTNode]) -> list[tuple[cst.CSTNode, ...]]:
    """The paths from the statements behind to the calls of methods that look at a value."""
    found: list[tuple[cst.CSTNode, ...]] = []
    inside = [path for statement in rest for path in occurrences(statement, name)]
    everywhere = occurrences(place.function.body, name)
    if len(everywhere) != len(inside) + 1 or any(name in names(s).writes for s in rest):
        raise FixNotApplicable(NoFix.RESULT_USED, "the name is used elsewhere too")
    for path in inside:
        attribute, user = path[-2], path[-3]
        if any(isinstance(node, (cst.Lambda, cst.FunctionDef, cst.BaseComp)) for node in path):
            raise FixNotApplicable(NoFix.RESULT_USED, "a function uses it")
        if not isinstance(attribute, cst.Attribute):
            if not _compared(path):
                raise FixNotApplicable(NoFix.RESULT_USED, "the distribution goes elsewhere")
        elif attribute.attr.value in _ASKING and isinstance(user, cst.Call) and user.func is attribute:
            found.append(path)
        elif attribute.attr.value not in _QUIET:
            raise FixNotApplicable(NoFix.RESULT_USED, "the distribution goes elsewhere")
    return found


def _compared(path: Sequence[cst.CSTNode]) -> bool:
    """Whether it is an argument of `kl_divergence`, which looks at nothing."""
    user = path[-3]
    return isinstance(user, cst.Call) and dotted(user.func).rpartition(".")[2] == "kl_divergence"


def _asked(place: FixSite, path: Sequence[cst.CSTNode], name: str) -> list[Edit]:
    """The edits that put the assertion for one call above its line."""
    user = path[-3]
    line = path[enclosing(path, cst.SimpleStatementLine)]
    sometimes = (cst.IfExp, cst.BooleanOperation, cst.Comparison)
    if not isinstance(user, cst.Call) or not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        raise FixNotApplicable(NoFix.SHARED_LINE, "not a line of its own")
    within = path[path.index(line) :]
    if any(isinstance(node, sometimes) for node in within) or not is_pure(line):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "it is only called conditionally")
    asked = [n for n in below(line, cst.Attribute) if n.attr.value in _ASKING and dotted(n.value) == name]
    value, before = _value(place, user)
    if len(asked) != 1:
        raise FixNotApplicable(NoFix.SHARED_LINE, "several values in one line")
    edits = [_above(place, line, [*before, _supported(place, name, value, not before)])]
    if before:
        span = place.tree.span(user.args[0].value)
        assert span is not None
        edits.append(Edit(span, value))
    return edits


def _instead(place: FixSite, small: cst.CSTNode, lines: Sequence[str]) -> Edit:
    span = place.tree.span(small)
    assert span is not None
    return Edit(span, f"\n{' ' * (span.start.column - 1)}".join(lines))


def _above(place: FixSite, line: cst.SimpleStatementLine, lines: Sequence[str]) -> Edit:
    """The edit that puts lines right above another one."""
    span = place.tree.span(line.body[0])
    assert span is not None
    indent = " " * (span.start.column - 1)
    start = type(span)(span.start, span.start)
    return Edit(start, "".join([f"{code}\n{indent}" for code in lines]))
