"""A branch on a tensor as `torch.where`: both sides are computed, and one is selected.

Right where both sides are elementwise and pure, cheap next to `torch.cond` (which costs eager milliseconds a call),
and what torch's own hint for graph break GB0170 puts first. The value selected is bit for bit the one that the
branch would have computed, whatever the other side is (NaN and infinity are not mixed in). Gradients are: the side
not selected gets a zero gradient, and zero times an infinite derivative is NaN.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Fix
from exportdb_rules.interpreter.dimensions import term_of
from exportdb_rules.no_fix import NoFix
from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.branching.condition import TENSOR, Predicate, parenthesised
from exportdb_rules.rewrite.branching.number_outputs import (
    numbers_as_tensors,
    numbers_as_they_are_or_tensors,
    with_swaps,
)
from exportdb_rules.rewrite.branching.number_uses import arithmetic_only
from exportdb_rules.rewrite.branching.predicate import Predicates
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, locate, shared
from exportdb_rules.rewrite.interface.eager_only import messages_apart
from exportdb_rules.rewrite.known.liveness import arms, assigned_before, code_after, followed_by, live_out, tests
from exportdb_rules.rewrite.known.mutation import copy_is_observable, is_unaliased, side_effects
from exportdb_rules.rewrite.known.names import names, targets
from exportdb_rules.rewrite.known.signature import (
    SCALAR,
    Number,
    Signature,
    TensorSignature,
    agree,
    certain,
    floating,
    leaves,
    may_agree,
)
from exportdb_rules.rewrite.outline import rewritten
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, children, dotted, occurrences, replace_all
from exportdb_rules.torch_api import CASTS
from exportdb_rules.values import Tensor

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.inference import Environment

TITLE: Final = "Rewrite as torch.where (computes both sides)"
TITLE_IF_ALIKE: Final = "Rewrite as torch.where (if both sides have one shape; computes both)"

# More operators than this on the two sides together are no longer cheap.
_MAX_OPERATORS: Final = 8
# What goes over all numbers once or twice, though not by each alone.
_SCANS: Final = frozenset(
    "softmax log_softmax softmin normalize layer_norm cumsum cumprod logcumsumexp flip roll tril triu renorm".split()
)
_CONVERSIONS: Final = CASTS.keys() | {"to", "type_as"}
_ONE_PASS: Final = frozenset(("any", "all", "sum", "mean", "std", "var", "norm", "prod", "nansum", "nanmean"))
_AVERAGES: Final = frozenset(("mean", "nanmean", "std", "var", "norm"))
# Losses of any numbers, and those that raise for some: what is out of range.
_LOSSES: Final = frozenset("binary_cross_entropy_with_logits huber_loss kl_div l1_loss mse_loss smooth_l1_loss".split())
_LOSSES_IN_RANGE: Final = frozenset(("binary_cross_entropy", "cross_entropy", "nll_loss"))
# What makes a tensor of one number.
_NUMBER_MAKING: Final = frozenset(("tensor", "zeros", "ones", "new_tensor", "new_zeros", "new_ones"))
_DIVIDING: Final = frozenset(("div", "divide", "true_divide", "reciprocal"))
# Their derivative is bounded by 1 wherever they are evaluated, so an unselected side cannot put NaN into a gradient.
_TAME: Final = frozenset(
    ("neg", "negative", "relu", "clone", "zeros_like", "ones_like", "full_like", "clamp", "detach")
)


# No gradient flows through these.
_WITHOUT_GRADIENT: Final = frozenset(("zeros_like", "ones_like", "full_like", "detach"))


@dataclass(frozen=True, eq=False)
class _Split:
    """A test and what is chosen on either side of it."""

    test: cst.BaseExpression
    predicate: Predicate
    true: _Tree
    false: _Tree


_Tree = cst.BaseExpression | _Split


@dataclass(frozen=True, eq=False)
class _Choice:
    """One name, one attribute of the module (`self.scale`), or '' for a return; and what it gets."""

    target: str
    split: _Split


def branch_to_where(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a branch whose sides are cheap, pure and elementwise of one shape and dtype; () if they are not. The shapes
    of different inputs are taken for one, where nothing says otherwise; the title says so.

    `safe` only where even a gradient cannot tell: the predicate has no dimensions, each side is computed from the same
    tensors, which were scaled or shifted by a literal at most, and one that exists anyway is nobody else's.
    """

    def fixes(numbers: bool) -> tuple[Fix, ...]:
        place = locate(context, elements=True)
        place.inference.strict = True
        return shared(place, place.branch(), f"where, numbers: {numbers}", lambda: _fix(place, numbers=numbers))

    return numbers_as_they_are_or_tensors(fixes)


def _fix(place: FixSite, *, numbers: bool) -> tuple[Fix, ...]:
    branch = place.branch()
    if isinstance(branch, cst.If):
        return _statement(place, branch, numbers=numbers)
    if numbers:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a statement")
    return _ternary(place, branch)


def _ternary(place: FixSite, node: cst.IfExp) -> tuple[Fix, ...]:
    statement = place.statement()
    if not isinstance(statement, cst.SimpleStatementLine):
        raise FixNotApplicable(NoFix.SHARED_LINE, "a conditional expression in the head of a compound statement")
    env = place.environment()
    choice = _Choice("", _split(place, node, env))
    refuse_observable_copies(place, node, env)
    code = _number_again(place, choice) if _handed_out(place, node) else _where(place, choice, env)
    # What was x itself is a copy now: right as an operand of something else, not where it may be changed later.
    safe = _safe(place, node, [choice], env)
    edits = validated_edits(place, (place.tree.edit(node, code),))
    return (Fix(_title(place, [choice], env), safe, edits, preferred=True),) if edits else ()


def _split(place: FixSite, node: cst.IfExp, env: Environment) -> _Split:
    def side(value: cst.BaseExpression) -> _Tree:
        inner = isinstance(value, cst.IfExp) and Predicates(place.inference, place.torch).decides(value.test, env)
        return _split(place, value, env) if isinstance(value, cst.IfExp) and inner else value

    return _Split(node.test, _predicate(place, node.test, env), side(node.body), side(node.orelse))


def _statement(place: FixSite, node: cst.If, *, numbers: bool) -> tuple[Fix, ...]:
    path = place.upto(node)
    parent = path[-2]
    if not isinstance(parent, cst.IndentedBlock):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an elif")
    body = list(parent.body)
    at = next(i for i, s in enumerate(body) if s is node)
    swaps = numbers_as_tensors(place, path, node, within=False) if numbers else []
    if numbers and not swaps:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no number is a tensor from the start")
    node = with_swaps(node, swaps, place.inference) if swaps else node
    env = place.inference.before(path)
    node, told = messages_apart(place, node)
    choices, taken = _choices(place, node, followed_by(path, place.function), path, env)
    comments = comments_in(node)
    after = [replace_all(one, swaps) for one in code_after(path, place.function)]
    lines = _lines(place, choices, env, after)
    lines[0] = lines[0].with_changes(leading_lines=[*node.leading_lines, *comments])
    new = parent.with_changes(body=[*body[:at], *told, *lines, *body[at + 1 + taken :]])
    edits = validated_edits(place, rewritten(place.tree, [*swaps, (parent, replace_all(new, swaps))]))
    safe = Applicability.UNSAFE if told or swaps else _safe(place, node, choices, env)
    return (Fix(_title(place, choices, env), safe, edits, preferred=True),) if edits else ()


def selected(
    place: FixSite,
    node: cst.If,
    live: frozenset[str],
    before: Set[str],
    env: Environment,
    after: Sequence[cst.CSTNode],
) -> list[cst.BaseStatement]:
    """The lines that give the names that a branch binds what the one or the other side gives them, without its comments.

    Raises:
        FixNotApplicable: a side is not cheap, or does more.
    """
    if len(_ends(node)) > _MAX_OPERATORS:
        # Each branch of a long chain stands in those before it: all that follow would be looked at for each.
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the branches are too many to be cheap")
    presumed, place.inference.strict = place.inference.strict, True
    try:
        return _lines(place, _assignments(place, node, live, before, env), env, after)
    finally:
        place.inference.strict = presumed


def _lines(
    place: FixSite, choices: list[_Choice], env: Environment, after: Sequence[cst.CSTNode]
) -> list[cst.BaseStatement]:
    lines: list[cst.BaseStatement] = []
    for choice in choices:
        if choice.target and copy_is_observable(choice.target, _roots(place, choice, env), env, after):
            raise FixNotApplicable(
                NoFix.ALIASED_WRITE, f"{choice.target} is changed in place later, and would be a copy then"
            )
        code = _where(place, choice, env)
        text = f"{choice.target} = {code}" if choice.target else f"return {code}"
        lines.append(cst.parse_statement(text))
    return lines


def _title(place: FixSite, choices: list[_Choice], env: Environment) -> str:
    """The title of the fix, with what it assumes: the shapes of different inputs are only sure to be the same where examples
    or annotations say so."""
    for choice in choices:
        first, *others = [place.inference.infer(end, dict(env)) for end in _leaves(choice.split)]
        if any(may_agree(first, other) and not agree(first, other) for other in others):
            return TITLE_IF_ALIKE
    return TITLE


def _roots(place: FixSite, choice: _Choice, env: Environment) -> frozenset[str]:
    """The storages that one side or the other may share."""
    known = [place.inference.infer(end, dict(env)) for end in _leaves(choice.split)]
    return frozenset(
        storage for signature in known if isinstance(signature, TensorSignature) for storage in signature.storages
    )


def _predicate(place: FixSite, test: cst.BaseExpression, env: Environment) -> Predicate:
    predicate = Predicates(place.inference, place.torch, tensors=True).translate(test, env)
    if predicate.kind != TENSOR or predicate.guard:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the condition is not a tensor")
    return predicate


def _choices(
    place: FixSite,
    node: cst.If,
    rest: list[cst.BaseStatement],
    path: tuple[cst.CSTNode, ...],
    env: Environment,
) -> tuple[list[_Choice], int]:
    """What the two sides assign or return; and how many statements after the `if` go with it."""
    ends = _ends(node)
    taken = 0
    last = rest[:1] if not ends[-1] and rest and _returned(rest[:1]) is not None else ends[-1]
    if all(_returned(block) is not None for block in [*ends[:-1], last]):
        taken = 0 if last is ends[-1] else 1
        return [_Choice("", _tree_of_returns(place, node, last, env))], taken
    return _assignments(place, node, live_out(path, place.function), assigned_before(path, place.function), env), 0


def _assignments(
    place: FixSite, node: cst.If, live: frozenset[str], before: Set[str], env: Environment
) -> list[_Choice]:
    """The names that the sides give a value which is read later, each with what it gets."""
    assigned = [_assigned(block) for block in _ends(node)]
    choices: list[_Choice] = []
    for target in dict.fromkeys(name for block in assigned for name in block):
        # An attribute outlives the call; one that is not there yet has no signature.
        attribute = "." in target
        if target not in live and not attribute:
            continue
        if any(target not in block for block in assigned) and target not in before and not attribute:
            raise FixNotApplicable(NoFix.POSSIBLY_UNBOUND, f"{target} may have no value in one branch")
        choices.append(_Choice(target, _tree_of(place, node, target, env)))
    if not choices:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the branch computes nothing that is used")
    # The lines run one after the other: none may read what an earlier one has changed.
    asked = _reads(tests(node))
    for number, choice in enumerate(choices):
        earlier = {c.target for c in choices[:number]}
        if (_reads(_leaves(choice.split)) | asked) & earlier:
            raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the branches read what they change")
    return choices


def _ends(node: cst.If) -> list[list[cst.BaseStatement]]:
    """The blocks of a chain, the one of `else` last, which may be empty."""
    one, two = arms(node)
    inner = two[0] if len(two) == 1 and isinstance(node.orelse, cst.If) else None
    return [one, *_ends(inner)] if isinstance(inner, cst.If) else [one, two]


def _tree_of(place: FixSite, node: cst.If, target: str, env: Environment) -> _Split:
    """What a name gets, through all tests of a chain."""
    one, two = arms(node)
    predicate = _predicate(place, node.test, env)
    given = _assigned(one)
    # Where it is read the interpreter has seen what it is.
    read = _uses([*given.values(), node.test], target)
    kept = read[0] if read else cst.parse_expression(target)
    true = given.get(target, kept)
    if isinstance(node.orelse, cst.If):
        return _Split(node.test, predicate, true, _tree_of(place, node.orelse, target, env))
    return _Split(node.test, predicate, true, _assigned(two).get(target, kept))


def _uses(nodes: Sequence[cst.BaseExpression], target: str) -> list[cst.BaseExpression]:
    """Where a name, or an attribute of the module, is read."""
    if "." in target:
        return [one for node in nodes for one in below(node, cst.Attribute) if dotted(one) == target]
    return [cst.ensure_type(use[-1], cst.Name) for node in nodes for use in occurrences(node, target)]


def _reads(nodes: Sequence[cst.CSTNode]) -> frozenset[str]:
    """The names that are read, and the attributes."""
    return frozenset(names(nodes).reads) | {dotted(one) for node in nodes for one in below(node, cst.Attribute)}


def _tree_of_returns(place: FixSite, node: cst.If, last: list[cst.BaseStatement], env: Environment) -> _Split:
    predicate = _predicate(place, node.test, env)
    true = _returned(arms(node)[0])
    assert true is not None
    if isinstance(node.orelse, cst.If):
        return _Split(node.test, predicate, true, _tree_of_returns(place, node.orelse, last, env))
    false = _returned(last)
    assert false is not None
    return _Split(node.test, predicate, true, false)


def _leaves(tree: _Tree) -> list[cst.BaseExpression]:
    return [*_leaves(tree.true), *_leaves(tree.false)] if isinstance(tree, _Split) else [tree]


def _splits(tree: _Tree) -> list[_Split]:
    return [tree, *_splits(tree.true), *_splits(tree.false)] if isinstance(tree, _Split) else []


def _returned(block: list[cst.BaseStatement]) -> cst.BaseExpression | None:
    if len(block) != 1 or not isinstance(block[0], cst.SimpleStatementLine) or len(block[0].body) != 1:
        return None
    only = block[0].body[0]
    return only.value if isinstance(only, cst.Return) else None


def _assigned(block: list[cst.BaseStatement]) -> dict[str, cst.BaseExpression]:
    """The names and the attributes of `self` that a side of plain assignments gives a value, each once, in order."""
    found: dict[str, cst.BaseExpression] = {}
    for statement in block:
        if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
            raise FixNotApplicable(NoFix.EMPTY_SELECTION, "more than assignments")
        only = statement.body[0]
        if not isinstance(only, cst.Assign) or len(only.targets) != 1:
            raise FixNotApplicable(NoFix.EMPTY_SELECTION, "more than assignments")
        target = only.targets[0].target
        own = isinstance(target, cst.Attribute) and dotted(target.value) == "self"
        if not isinstance(target, cst.Name) and not own:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an assignment to more than a name")
        name = dotted(target)
        if name in found or _reads([only.value]) & found.keys():
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "assignments that build on each other")
        found[name] = only.value
    return found


def _where(place: FixSite, choice: _Choice, env: Environment) -> str:
    ends = _leaves(choice.split)
    found = side_effects(ends)
    if found.unsupported or found.names:
        raise FixNotApplicable(NoFix.SIDE_EFFECT, "a branch changes something in place")
    if factor := _factor(place, choice.split, env):
        return factor
    signatures = [place.inference.infer(end, dict(env)) for end in ends]
    if "." in choice.target and any(isinstance(s, Number) for s in signatures):
        raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "an attribute that holds a number would hold a tensor")
    if all(isinstance(s, Number) for s in signatures):
        _refuse_numbers(place, choice, ends, signatures)
    elif any(isinstance(s, Number) for s in signatures):
        _refuse_mixed(place, choice, ends, signatures)
    else:
        asked = _computed(place, choice.split.test)
        if not all(
            isinstance(s, TensorSignature)
            and inexpensive(_without_selections(place, _without(place, end, asked), choice.split.test))
            for end, s in zip(ends, signatures, strict=True)
        ):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a branch is not cheap and elementwise")
        for end, other in zip(ends[1:], signatures[1:], strict=True):
            alike = agree(signatures[0], other) or may_agree(signatures[0], other)
            known = _of_one_dtype(signatures[0], other) and _sizes_agree(place, ends[0], end)
            if _sizes_differ(place, ends[0], end) or not (alike or known):
                raise FixNotApplicable(NoFix.BRANCHES_DIFFER, "the branches may differ in dtype or shape")
        if sum(map(_weight, ends)) > _MAX_OPERATORS:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the branches are not cheap")
    split = choice.split
    for one in _splits(split):
        for asked in _asked_for_zero(one.test):
            if any(_divides_by(end, asked) for end in ends):
                split = _divided(place, split, one.test, asked, env)
    return _code(place, split)


def _divided(
    place: FixSite, split: _Split, test: cst.BaseExpression, asked: frozenset[str], env: Environment
) -> _Split:
    """The same with `n.clamp(min=1)`, or `torch.where(n == 0, 1, n)`, for each `n` that a side divides by and the test compares
    with zero: a gradient that meets a division by zero would be NaN, on the side that is not selected too.

    Raises:
        FixNotApplicable: it divides by something else that is computed from what the test asks for.
    """
    reason = "gradients would be NaN where the branch avoids a division by zero"
    name = next(iter(asked)) if len(asked) == 1 else ""
    known = place.inference.infer(cst.Name(name), dict(env)) if name else None
    if not isinstance(known, TensorSignature) or known.shape != SCALAR:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, reason)
    counts = known.dtype == "int64" and _asks_positive(test, name)
    code = f"{name}.clamp(min=1)" if counts else f"{place.torch}.where({name} == 0, 1, {name})"

    def guarded(tree: _Tree) -> _Tree:
        if isinstance(tree, _Split):
            return replace(tree, true=guarded(tree.true), false=guarded(tree.false))
        divisions = [node for node in below(tree, cst.BinaryOperation) if isinstance(node.operator, cst.Divide)]
        divisors = [node.right for node in divisions if dotted(node.right) == name]
        if _divides_by(replace_all(tree, [(node, cst.Name("_")) for node in divisors]), asked):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, reason)
        return replace_all(tree, [(node, cst.parse_expression(code)) for node in divisors])

    return replace(split, true=guarded(split.true), false=guarded(split.false))


def _asks_positive(test: cst.BaseExpression, name: str) -> bool:
    """Whether a test is `n > 0`."""
    if not isinstance(test, cst.Comparison) or dotted(test.left) != name or len(test.comparisons) != 1:
        return False
    return isinstance(test.comparisons[0].operator, cst.GreaterThan)


def _factor(place: FixSite, split: _Split, env: Environment) -> str:
    """`x / torch.where(norm > 0, norm, 1)` for `x / norm if norm > 0 else x`: what is selected is the one element that the
    condition asks for; else "". No gradient meets a division by zero."""
    for computed, other in ((split.true, split.false), (split.false, split.true)):
        if not isinstance(computed, cst.BinaryOperation) or not isinstance(computed.operator, (cst.Multiply, cst.Divide)):  # fmt: skip
            continue
        by, test = computed.right, split.test
        if not isinstance(other, cst.Name) or not computed.left.deep_equals(other) or not isinstance(by, cst.Name):
            continue
        if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1 or by.value == other.value:
            continue
        if not any(side.deep_equals(by) for side in (test.left, test.comparisons[0].comparator)):
            continue
        known, factor = place.inference.infer(other, dict(env)), place.inference.value(by)
        if type(factor) is not Tensor or not isinstance(known, TensorSignature):
            continue
        whole = place.inference.value(other)
        narrow = (
            type(whole) is not Tensor or None in (whole.rank, factor.rank) or (factor.rank or 0) <= (whole.rank or 0)
        )
        if not narrow or not (known.dtype is None or floating(known.dtype)):
            continue
        sides = [by.value, "1"] if computed is split.true else ["1", by.value]
        operator = place.tree.code(computed.operator)
        return f"{other.value}{operator}{place.torch}.where({split.predicate.code}, {', '.join(sides)})"
    return ""


def _asked_for_zero(test: cst.BaseExpression) -> list[frozenset[str]]:
    """The names of each value that a test compares with zero."""
    zeros = (cst.Integer, cst.Float)
    return [
        frozenset(names(comparison.left).reads)
        for comparison in below(test, cst.Comparison)
        for compared in comparison.comparisons
        if isinstance(compared.comparator, zeros) and not float(compared.comparator.evaluated_value)
    ]


def _divides_by(end: cst.BaseExpression, asked: frozenset[str]) -> bool:
    """Whether a side divides by what is asked for."""
    divisors: list[cst.CSTNode] = [
        node.right for node in below(end, cst.BinaryOperation) if isinstance(node.operator, cst.Divide)
    ]
    for call in below(end, cst.Call):
        name = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
        if name in _DIVIDING:
            divisors.append(call)
    return bool(names(divisors).reads & asked)


def _computed(place: FixSite, test: cst.BaseExpression) -> frozenset[str]:
    """The calls that a test makes in any case, as code: what they demand of their arguments holds."""
    while isinstance(test, cst.BooleanOperation):
        test = test.left
    return frozenset(place.tree.code(_bare(call)) for call in below(test, cst.Call))


def _without(place: FixSite, end: cst.BaseExpression, computed: frozenset[str]) -> cst.BaseExpression:
    """A side with a name for what is computed in any case."""
    calls = [call for call in below(end, cst.Call) if place.tree.code(_bare(call)) in computed]
    return replace_all(end, [(call, cst.Name("_")) for call in calls])


def _without_selections(place: FixSite, end: cst.BaseExpression, test: cst.BaseExpression) -> cst.BaseExpression:
    """A side with the tensor itself for what a mask selects of it, where a reduction or a loss of that is all that is computed:
    those raise nothing for no elements. A loss that may raise for some is left out where the test asks for its mask."""
    swaps: list[tuple[cst.CSTNode, cst.CSTNode]] = []
    for call in below(end, cst.Call):
        raising = _is_loss(call, _LOSSES_IN_RANGE)
        loss = raising or _is_loss(call, _LOSSES)
        if not isinstance(call.func, cst.Attribute) or (
            not loss and (call.args or call.func.attr.value not in _ONE_PASS)
        ):
            continue
        within = [arg.value for arg in call.args] if loss else [call.func.value]
        picked = [
            (part, mask) for node in within for part in below(node, cst.Subscript) if (mask := _mask(place, part))
        ]
        if len({place.tree.code(mask) for _, mask in picked}) != 1:
            continue
        if not raising:
            swaps += [(part, part.value) for part, _ in picked]
        elif [part for part, _ in picked] == within and names(picked[0][1]).reads <= names(test).reads:
            swaps.append((call, cst.Name("_")))
    return replace_all(end, swaps)


def _is_loss(node: cst.CSTNode, kinds: frozenset[str]) -> bool:
    """Whether an expression is a loss of one of these kinds, as one number."""
    if not isinstance(node, cst.Call) or dotted(node.func).rpartition(".")[2] not in kinds:
        return False
    options = [arg.keyword.value for arg in node.args if arg.keyword is not None]
    return not {"reduction", "reduce", "size_average"} & {*options} and not any(arg.star for arg in node.args)


def _mask(place: FixSite, node: cst.Subscript) -> cst.BaseExpression | None:
    """The mask that selects elements: of `x[mask]`."""
    part = node.slice[0].slice if len(node.slice) == 1 else None
    mask = place.inference.value(part.value) if isinstance(part, cst.Index) else None
    return part.value if isinstance(part, cst.Index) and type(mask) is Tensor and mask.dtype == "bool" else None


def _sizes_differ(place: FixSite, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    """Whether the examples or declarations give two tensors another number of dimensions, or another size of one."""
    a, b = place.inference.value(one), place.inference.value(other)
    if type(a) is not Tensor or type(b) is not Tensor or a.rank is None or b.rank is None:
        return False
    sizes = [(term_of(ours), term_of(theirs)) for ours, theirs in zip(a.dims or (), b.dims or (), strict=False)]
    return a.rank != b.rank or any(ours and theirs and ours != theirs for ours, theirs in sizes)


def _sizes_agree(place: FixSite, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    """Whether the examples or declarations give two tensors the same sizes."""
    values = [place.inference.value(end) for end in (one, other)]
    sizes = [[term_of(size) for size in v.dims] for v in values if type(v) is Tensor and v.dims is not None]
    return len(sizes) == 2 and None not in sizes[0] and sizes[0] == sizes[1]


def _of_one_dtype(one: Signature, other: Signature) -> bool:
    if not isinstance(one, TensorSignature) or not isinstance(other, TensorSignature):
        return False
    return one.dtype is not None and one.dtype == other.dtype


def _code(place: FixSite, tree: _Tree) -> str:
    if isinstance(tree, _Split):
        asked, sides = tree.predicate, [tree.true, tree.false]
        if asked.opposite and asked.code == f"~{parenthesised(asked.opposite)}":
            asked, sides = replace(asked, code=asked.opposite), sides[::-1]
        condition = asked.code if _narrow(place, tree) else asked.zero_dimensional
        parts = [condition, *[_code(place, side) for side in sides]]
        if parts[1] == parts[2] and not any(True for _ in below(tree.test, cst.Call)):
            return parts[1]
        return f"{place.torch}.where({', '.join(parts)})"
    return place.tree.code(_bare(tree))


def _narrow(place: FixSite, split: _Split) -> bool:
    """Whether the one element of a predicate has no more dimensions than the sides: it would widen them."""
    asked, *sides = [place.inference.value(node) for node in (split.test, *_leaves(split))]
    if type(asked) is not Tensor or asked.rank is None:
        return False
    return all(type(side) is Tensor and side.rank is not None and side.rank >= asked.rank for side in sides)


def refuse_observable_copies(place: FixSite, node: cst.IfExp, env: Environment) -> None:
    """Raises FixNotApplicable where a side is a tensor that exists anyway, its name is bound to it, and one of them is changed in
    place later: a copy would tell."""
    at = place.path.index(node)
    parent = place.path[at - 1]
    if (
        place.in_comprehension()
        and side_effects(code_after(place.upto(place.statement() or node), place.function)).names
    ):
        raise FixNotApplicable(NoFix.ALIASED_WRITE, "something is changed in place later, and may be an element")
    if not isinstance(parent, cst.Assign):
        return
    statement = place.statement()
    assert statement is not None
    storages = frozenset(
        storage
        for side in (node.body, node.orelse)
        for leaf in leaves(place.inference.infer(side, dict(env)))
        if isinstance(leaf, TensorSignature)
        for storage in leaf.storages
    )
    after = code_after(place.upto(statement), place.function)
    for target in parent.targets:
        if any(copy_is_observable(name.value, storages, env, after) for name in targets(target.target)):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "it is changed in place later, and would be a copy then")


def _handed_out(place: FixSite, node: cst.IfExp) -> bool:
    """Whether a function returns what a conditional expression gives, alone or in a tuple, and all that it chooses among are
    numbers."""
    path = place.upto(node)[:-1]
    while isinstance(path[-1], (cst.Element, cst.Tuple)):
        path = path[:-1]
    ends: list[cst.BaseExpression] = [node.body, node.orelse]
    return isinstance(path[-1], cst.Return) and all(isinstance(end, (cst.Integer, cst.Float)) for end in ends)


def _number_again(place: FixSite, choice: _Choice) -> str:
    """The choice as a number of the graph: tensors hold whole numbers as they are, and few others."""
    if not all(isinstance(end, cst.Integer) for end in _leaves(choice.split)):
        raise FixNotApplicable(NoFix.ROUNDING, "a number that a tensor may round")
    return f"{_code(place, choice.split)}.item()"


def _refuse_numbers(
    place: FixSite, choice: _Choice, ends: list[cst.BaseExpression], signatures: list[Signature]
) -> None:
    """Raises FixNotApplicable unless a choice between numbers can be a tensor without dimensions, which promotes nothing that
    a number would not."""
    kinds = {s.floating for s in signatures if isinstance(s, Number)}
    if len(kinds) != 1 or any(dotted(end) in ("True", "False") or not cheap(end) for end in ends):
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "numbers of different kinds")
    if not arithmetic_only(place, choice.target):
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is used as a Python number")


def _refuse_mixed(place: FixSite, choice: _Choice, ends: list[cst.BaseExpression], signatures: list[Signature]) -> None:
    """Raises FixNotApplicable unless a choice between numbers and tensors can be a tensor without dimensions."""
    tensors = [s for s in signatures if isinstance(s, TensorSignature)]
    # A number that is a literal, or a name for one: torch.where takes both as they are.
    plain = all(isinstance(s, TensorSignature) or (isinstance(s, Number) and _is_numeral(s.code)) for s in signatures)
    averages = [isinstance(s, TensorSignature) and _is_average(end) for end, s in zip(ends, signatures, strict=True)]
    known = bool(tensors) and (tensors[0].dtype is not None or (len(tensors) == 1 and any(averages)))
    if not plain or not known or any(s.shape != SCALAR or s.dtype != tensors[0].dtype for s in tensors):
        raise FixNotApplicable(NoFix.BRANCHES_DIFFER, "the branches may differ in dtype or shape")
    fractions = any(isinstance(s, Number) and s.floating for s in signatures)
    whole = tensors[0].dtype is not None and not floating(tensors[0].dtype)
    if whole and (tensors[0].dtype != "int64" or fractions):
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "numbers of different kinds")
    bare = [_without_selections(place, end, choice.split.test) for end in ends]
    if not all(map(inexpensive, bare)) or sum(map(_weight, ends)) > _MAX_OPERATORS:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the branches are not cheap")
    if not arithmetic_only(place, choice.target, mixed=any(averages)):
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is used as a Python number")


def _is_average(node: cst.BaseExpression) -> bool:
    """Whether an expression is the mean, or a deviation, of elements, or a loss: a floating-point number, or complex."""
    reduced = isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _AVERAGES
    return reduced or _is_loss(node, _LOSSES | _LOSSES_IN_RANGE)


def _is_numeral(code: str) -> bool:
    """Whether code is that of a number which is written out."""
    return code[:1].isdigit() or code[:1] == "."


def _bare(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.with_changes(lpar=[], rpar=[]) if node.lpar else node


def cheap(node: cst.BaseExpression) -> bool:
    """Whether an expression is made of names, literals, arithmetic and elementwise functions only."""
    if isinstance(node, (cst.Name, cst.Integer, cst.Float)) or (isinstance(node, cst.Attribute) and dotted(node)):
        return True
    if isinstance(node, cst.UnaryOperation):
        return not isinstance(node.operator, cst.Not) and cheap(node.expression)
    if isinstance(node, cst.BinaryOperation):
        return not isinstance(node.operator, cst.MatrixMultiply) and cheap(node.left) and cheap(node.right)
    if isinstance(node, cst.Tuple):
        return all(isinstance(element, cst.Element) and cheap(element.value) for element in node.elements)
    if isinstance(node, cst.Subscript):
        return cheap(node.value) and all(_whole(element.slice) for element in node.slice)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        name = node.func.attr.value
        if name in _NUMBER_MAKING and _makes_number(node):
            return True
        row = operator(name)
        known = (row.fresh and row.each) or row.broadcasts or name in _SCANS or name in _CONVERSIONS
        return known and cheap(node.func.value) and all(not a.star and cheap(a.value) for a in node.args)
    return False


def _makes_number(node: cst.Call) -> bool:
    """Whether a call makes a tensor without dimensions: `torch.tensor(0.0)`, `x.new_zeros(())`."""
    if not node.args or node.args[0].star or node.args[0].keyword is not None:
        return False
    first, *options = node.args
    empty = isinstance(first.value, cst.Tuple) and not first.value.elements
    number = isinstance(first.value, (cst.Integer, cst.Float))
    named = all(arg.keyword is not None and arg.keyword.value in ("device", "dtype") for arg in options)
    making = cst.ensure_type(node.func, cst.Attribute).attr.value
    return named and (number if making.endswith("tensor") else empty)


def _whole(part: cst.BaseSlice) -> bool:
    """Whether a part of a subscript takes all of a dimension, or makes one: `:`, `None`, `...`."""
    if isinstance(part, cst.Slice):
        return part.lower is None and part.upper is None and part.step is None
    return isinstance(part, cst.Index) and (dotted(part.value) == "None" or isinstance(part.value, cst.Ellipsis))


def inexpensive(node: cst.BaseExpression) -> bool:
    """Whether an expression is cheap, or one pass over what is cheap, which raises for no tensor, not even an empty one."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _ONE_PASS:
        return inexpensive(node.func.value) and all(not a.star and cheap(a.value) for a in node.args)
    if isinstance(node, cst.Call) and _is_loss(node, _LOSSES):
        return all(cheap(arg.value) for arg in node.args)
    if isinstance(node, cst.UnaryOperation):
        return not isinstance(node.operator, cst.Not) and inexpensive(node.expression)
    if isinstance(node, cst.BinaryOperation) and not isinstance(node.operator, cst.MatrixMultiply):
        return inexpensive(node.left) and inexpensive(node.right)
    return cheap(node)


def _weight(node: cst.CSTNode) -> int:
    own = isinstance(node, (cst.BinaryOperation, cst.UnaryOperation, cst.Call))
    return own + sum(_weight(child) for child in children(node))


def _safe(place: FixSite, node: cst.If | cst.IfExp, choices: list[_Choice], env: Environment) -> Applicability:
    path = place.upto(node)
    if any("." in choice.target for choice in choices):
        return Applicability.UNSAFE
    # What is computed there may want no gradient, or another dtype.
    if any(isinstance(one, cst.With) for one in path[path.index(place.function) :]):
        return Applicability.UNSAFE
    for choice in choices:
        if not all(one.predicate.scalar and one.predicate.exact for one in _splits(choice.split)):
            return Applicability.UNSAFE
        ends = _leaves(choice.split)
        if not _of_one_source(place, ends, env) or not all(_gone(place, node, choice, end, env) for end in ends):
            return Applicability.UNSAFE
        if not all(_tame(place, end, env) for end in ends):
            return Applicability.UNSAFE
        first, *others = [place.inference.infer(end, dict(env)) for end in ends]
        if not all(certain(first, other) for other in others):
            return Applicability.UNSAFE
    # Where a side was a tensor itself, its name and the result shared storage: a later write would tell them apart.
    if side_effects([place.function.body]).names:
        return Applicability.UNSAFE
    return Applicability.SAFE


def _of_one_source(place: FixSite, ends: list[cst.BaseExpression], env: Environment) -> bool:
    """Whether all sides are computed from the same tensors, so that a gradient flows to the same ones; or have none."""
    known = [place.inference.infer(end, dict(env)) for end in ends]
    if all(
        isinstance(one, TensorSignature) and isinstance(one.dtype, str) and not floating(one.dtype) for one in known
    ):
        return True
    sources = [
        {
            name
            for name in names(end).reads - {place.torch}
            if not isinstance(place.inference.infer(cst.Name(name), dict(env)), Number)
        }
        for end in ends
    ]
    constant = any(
        isinstance(call.func, cst.Attribute) and call.func.attr.value in _WITHOUT_GRADIENT
        for end in ends
        for call in below(end, cst.Call)
    )
    return not constant and all(one == sources[0] for one in sources)


def _gone(place: FixSite, node: cst.If | cst.IfExp, choice: _Choice, end: cst.BaseExpression, env: Environment) -> bool:
    """Whether a side is a new tensor, or one that nobody has any more when another one stands for it."""
    if not dotted(end):
        return not (isinstance(end, cst.UnaryOperation) and isinstance(end.operator, cst.Plus))
    statement = place.statement()
    if not isinstance(end, cst.Name) or statement is None:
        return False
    mine = sum(name.value == end.value for name in below(node, cst.Name))
    around = sum(name.value == end.value for name in below(statement, cst.Name))
    later = live_out(place.upto(node if isinstance(node, cst.If) else statement), place.function)
    if isinstance(statement, cst.SimpleStatementLine):
        later -= names(statement).writes
        around -= sum(name.value == end.value for t in below(statement, cst.AssignTarget) for name in targets(t.target))
    read = (end.value in later and end.value != choice.target) or (isinstance(node, cst.IfExp) and mine != around)
    return not read and is_unaliased(end.value, env, [place.function.body])


def _tame(place: FixSite, node: cst.BaseExpression, env: Environment) -> bool:
    if isinstance(node, cst.Name):
        return True
    if isinstance(node, cst.UnaryOperation):
        return _tame(place, node.expression, env)
    if isinstance(node, cst.BinaryOperation):
        sides_ = [node.left, node.right]
        literal = [isinstance(s, (cst.Integer, cst.Float)) for s in sides_]
        if isinstance(node.operator, (cst.Add, cst.Subtract)):
            return all(_tame(place, s, env) for s in sides_)
        if isinstance(node.operator, cst.Multiply) and any(literal):
            return all(_tame(place, s, env) for s in sides_)
        return False
    if isinstance(node, (cst.Integer, cst.Float)):
        return True
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _TAME:
        receiver = [] if dotted(node.func.value) == place.torch else [node.func.value]
        arguments = [*receiver, *[a.value for a in node.args]]
        return all(_tame(place, a, env) or isinstance(place.inference.infer(a, dict(env)), Number) for a in arguments)
    return False


def comments_in(node: cst.If) -> list[cst.EmptyLine]:
    """All comments in the branch, as lines of their own: what they say holds for the line that replaces it."""
    found: list[cst.EmptyLine] = []

    def visit(here: cst.CSTNode) -> None:
        if isinstance(here, cst.Comment):
            found.append(cst.EmptyLine(comment=here))
        for child in here.children:
            visit(child)

    for child in node.children:
        if not any(child is line for line in node.leading_lines):
            visit(child)
    return found
