"""A call of torch.cond or while_loop as it stands in the code: its functions, and what it passes to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.fix_site import FixSite, locate
from exportdb_rules.rewrite.known.names import names, parameters
from exportdb_rules.rewrite.known.signature import TensorSignature
from exportdb_rules.rewrite.outline import rewritten
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Tree, below, children, dotted, parse, statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from exportdb_rules.finding import Edit, Span
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.inference import Environment
    from exportdb_rules.rewrite.tree import Swaps


@dataclass(frozen=True, eq=False)
class BranchFunction:
    """One function of the call: a lambda in it, or a function that is defined beside it and used nowhere else.

    `argument` is what the call names it by.
    """

    argument: cst.Arg
    node: cst.Lambda | cst.FunctionDef

    @property
    def parameters(self) -> list[str]:
        """The names of its parameters, in order."""
        return [p.name.value for p in parameters(self.node)]

    @property
    def block(self) -> list[cst.BaseStatement]:
        """Its statements; those of a lambda are the return that it stands for."""
        if isinstance(self.node, cst.FunctionDef):
            return statements(self.node.body)
        return [cst.SimpleStatementLine([cst.Return(self.node.body)])]

    @property
    def returned(self) -> list[cst.BaseExpression | None]:
        """What its return statements give, in order; None of one that gives nothing."""
        within = (cst.FunctionDef, cst.ClassDef, cst.Lambda)
        return [node.value for line in self.block for node in below(line, cst.Return, outside=within)]

    def with_block(self, block: Sequence[cst.BaseStatement]) -> Swaps:
        """What is to be replaced so that the function has other statements.

        Raises:
            FixNotApplicable: it is a lambda and they are more than a return, or they have no lines of their own.
        """
        node = self.node
        if isinstance(node, cst.FunctionDef):
            if not isinstance(node.body, cst.IndentedBlock):
                raise FixNotApplicable(NoFix.SHARED_LINE, "a function on one line")
            return [(node.body, node.body.with_changes(body=block))]
        value = cst.ensure_type(cst.ensure_type(block[0], cst.SimpleStatementLine).body[0], cst.Return).value
        if len(block) != 1 or value is None:
            raise FixNotApplicable(NoFix.SHARED_LINE, "a lambda has no statements")
        if isinstance(value, cst.Tuple) and not value.lpar:
            value = value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        return [] if value is node.body else [(node.body, value)]


@dataclass(frozen=True, eq=False)
class OperatorCall:
    """`node` is the call; `operands` the elements of the tuple or list that it passes, () where it passes none."""

    node: cst.Call
    functions: tuple[BranchFunction | None, ...]
    arguments: tuple[cst.Arg, ...]
    given: cst.Arg | None
    operands: tuple[cst.BaseExpression, ...]

    @property
    def predicate(self) -> cst.BaseExpression:
        """The first argument of torch.cond."""
        return self.arguments[0].value

    def known_functions(self) -> list[BranchFunction]:
        """Both functions.

        Raises:
            FixNotApplicable: the code of one of them is not at hand.
        """
        known = [function for function in self.functions if function is not None]
        if len(known) != len(self.functions):
            raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the code of a function is elsewhere")
        return known


def place_of_call(context: FixContext) -> FixSite:
    """The place of the call that a finding is about: the finding stands on the call, or in one of its functions."""
    tree = parse(context.text)
    span = context.finding.span
    if tree is not None and not isinstance((tree.path(span) or (None,))[-1], cst.Call):
        for node in below(tree.module, cst.Call):
            where = tree.span(node)
            if where is None or dotted(node.func).rpartition(".")[2] not in ("cond", "while_loop"):
                continue
            if any(_holds(tree, function, span) for function in _named(tree.module, node)):
                return locate(context, where)
    return locate(context)


def _named(module: cst.CSTNode, call: cst.Call) -> Iterator[cst.CSTNode]:
    """The lambdas in a call, and the functions and methods of the text that have a name which it passes."""
    passed = {dotted(arg.value).removeprefix("self.") for arg in call.args}
    yield from [arg.value for arg in call.args if isinstance(arg.value, cst.Lambda)]
    yield from [function for function in below(module, cst.FunctionDef) if function.name.value in passed]


def _holds(tree: Tree, node: cst.CSTNode, span: Span) -> bool:
    where = tree.span(node)
    return where is not None and where.start <= span.start and span.end <= where.end


def operator_call(place: FixSite, operator: str) -> OperatorCall:
    """The call at the finding's place, of an operator ('cond' | 'while_loop').

    Raises FixNotApplicable where its arguments are not written out.
    """
    node = place.node
    if not isinstance(node, cst.Call) or any(a.star for a in node.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain call of an operator")
    order = {
        "cond": ("pred", "true_fn", "false_fn", "operands"),
        "while_loop": ("cond_fn", "body_fn", "carried_inputs"),
    }[operator]
    given: dict[str, cst.Arg] = {}
    for position, arg in enumerate(node.args):
        name = arg.keyword.value if arg.keyword is not None else order[position] if position < len(order) else ""
        given[name] = arg
    functions = ("true_fn", "false_fn") if operator == "cond" else ("cond_fn", "body_fn")
    if not set(order[:3]) <= given.keys() | {"operands"} or not given.keys() <= set(order):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    last = given.get(order[-1])
    operands: tuple[cst.BaseExpression, ...] = ()
    if last is not None:
        if not isinstance(last.value, (cst.Tuple, cst.List)):
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the operands are not given as a literal")
        if any(isinstance(e, cst.StarredElement) for e in last.value.elements):
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the operands are not given as a literal")
        operands = tuple([e.value for e in last.value.elements])
    found = tuple([_function(place, given[name]) for name in functions])
    return OperatorCall(node, found, tuple(given[name] for name in order if name in given), last, operands)


def where_torch_refuses(place: FixSite) -> Applicability:
    """Of a fix for a `torch.cond` that torch refuses: `safe` where the predicate is sure to be a tensor. A bool of Python
    makes eager call the one branch, whatever it does."""
    kinds = place.inference.kinds(operator_call(place, "cond").predicate)
    sure = bool(kinds) and all(type(k) is domain.Tensor and not domain.is_assumed(k) for k in kinds)
    return Applicability.SAFE if sure else Applicability.UNSAFE


def _function(place: FixSite, argument: cst.Arg) -> BranchFunction | None:
    """The function that an argument names; None where its code is not at hand, or others use it too."""
    value = argument.value
    if isinstance(value, cst.Lambda):
        return BranchFunction(argument, value) if _plain(value) else None
    if not isinstance(value, cst.Name):
        return None
    found = [d for d in _definitions(place.function.body) if d.name.value == value.value]
    uses = sum(_mentions(value.value, node) for node in statements(place.function.body))
    # Once where it is defined (its own name is no use), once in the call.
    if len(found) != 1 or uses != 1 or found[0].decorators or not _plain(found[0]):
        return None
    without = place.function.body.deep_replace(found[0], cst.SimpleStatementLine([cst.Pass()]))
    if value.value in names(cst.ensure_type(without, cst.BaseSuite)).writes:
        return None
    return BranchFunction(argument, found[0])


def _plain(function: cst.Lambda | cst.FunctionDef) -> bool:
    """Whether all parameters are positional and none has a default."""
    p = function.params
    return (
        not p.kwonly_params
        and p.star_kwarg is None
        and not isinstance(p.star_arg, cst.Param)
        and all(one.default is None for one in parameters(function))
    )


def _definitions(node: cst.CSTNode) -> list[cst.FunctionDef]:
    """The functions that a function defines, those of other functions left aside."""
    found: list[cst.FunctionDef] = []
    for child in children(node):
        if isinstance(child, cst.FunctionDef):
            found.append(child)
        elif not isinstance(child, (cst.ClassDef, cst.Lambda)):
            found += _definitions(child)
    return found


def _mentions(name: str, node: cst.CSTNode) -> int:
    """How often a name is read in a piece of code, inner functions included."""
    if isinstance(node, cst.Name):
        return node.value == name
    if isinstance(node, cst.FunctionDef):
        return _mentions(name, node.body)
    if isinstance(node, (cst.Attribute, cst.Arg)):
        return _mentions(name, node.value)
    return sum(_mentions(name, child) for child in children(node))


def inside(place: FixSite, call: OperatorCall, function: BranchFunction, env: Environment) -> Environment:
    """The signatures of the names in a function of the call: those around it, and its parameters' as the operands are."""
    if len(function.parameters) != len(call.operands):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the function does not take the operands")
    inner = dict(env)
    for name, operand in zip(function.parameters, call.operands, strict=True):
        known = place.inference.infer(operand, dict(env))
        # Whatever the operand is in memory, for the function it is somebody else's.
        inner[name] = (
            TensorSignature(
                known.dtype, known.shape, frozenset([f"operand {name}"]), known.maybe_noncontiguous, known.observed
            )
            if isinstance(known, TensorSignature)
            else known
        )
    return inner


def swapped(place: FixSite, swaps: Swaps) -> tuple[Edit, ...]:
    """The edits that replace nodes of the text by others.

    Raises:
        FixNotApplicable: there is nothing to replace.
    """
    if not swaps:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "nothing is to be changed")
    return rewritten(place.tree, swaps)
