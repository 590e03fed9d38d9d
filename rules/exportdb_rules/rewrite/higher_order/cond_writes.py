"""What the branches of a torch.cond write, as results of both that are written behind the call.

Measured on torch 2.13, in both modes: a branch may write neither an operand nor a buffer; a copy of it that is written,
returned by both branches and given back with `copy_` behind the call exports, and computes what the `if` did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branch_lowering import BranchLowering
from exportdb_rules.rewrite.branching.branches import Builder, immovable, written_back
from exportdb_rules.rewrite.branching.states import buffer_writes
from exportdb_rules.rewrite.higher_order.operator_call import (
    BranchFunction,
    OperatorCall,
    inside,
    operator_call,
    place_of_call,
    swapped,
    where_torch_refuses,
)
from exportdb_rules.rewrite.known.liveness import contains, never_falls_through
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import TensorSignature, agree, leaves
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Swaps, below, dotted, replace_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Environment

TITLE: Final = "Return mutated values from both branches and copy them back after torch.cond"


def write_to_result(context: FixContext) -> tuple[Fix, ...]:
    """Operands and buffers that a branch of torch.cond writes in place, as results that are copied back behind it.

    `safe` where torch refuses the call as it is.
    """
    return make_fix(context, TITLE, where_torch_refuses, _handed_out, place_of_call)


def _handed_out(place: FixSite) -> Iterable[Edit]:
    call = operator_call(place, "cond")
    functions = call.known_functions()
    if any(len(f.parameters) != len(call.operands) for f in functions):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a branch takes other arguments than it is given")
    if any(immovable(function.block) for function in functions):
        raise FixNotApplicable(NoFix.SIDE_EFFECT, "a branch holds what cannot be returned")
    line = line_of(place, call)
    env = place.environment()
    builder = Builder(place)
    states = {name: builder.name(name) for f in functions for name in buffer_writes(f.block, place.inference)}
    operands = [index for index in range(len(call.operands)) if any(_writes(f, index) for f in functions)]
    closed = {name: builder.name(name) for f in functions for name in _written_outside(f, env)}
    if not states and not operands and not closed:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "nothing is written that could be returned")
    for name in closed:
        _refuse_aliases(place, call, functions, name, env)
    for index in operands:
        _refuse_shared(place, call, functions, index, env)
    _refuse_operands(place, call, states, env)
    bare = not any(value is not None for function in functions for value in function.returned)
    swaps: Swaps = []
    results: list[object] = []
    for function in functions:
        side = _side(builder, call, function, _Written(states, operands, closed), bare, env)
        results += side.results
        if not side.results or not all(agree(side.results[0], r, presume=True) for r in side.results):
            raise FixNotApplicable(NoFix.BRANCHES_DIFFER, "the branches may return different results")
        if not agree(cast("TensorSignature", results[0]), side.results[0], presume=True):
            raise FixNotApplicable(NoFix.BRANCHES_DIFFER, "the branches may return different results")
        swaps += function.with_block(side.block)
    given = [builder.name(_short(call.operands[index])) for index in operands]
    back = [f"{dotted(call.operands[index])}.copy_({name})" for index, name in zip(operands, given, strict=True)]
    back += [f"{name}.copy_({local})" for name, local in closed.items()]
    lines = [cst.ensure_type(cst.parse_statement(code), cst.SimpleStatementLine) for code in back]
    lines += cast("list[cst.SimpleStatementLine]", written_back(states, place.inference))
    changed = replace_all(call.node, swaps)
    results_of = Call(call.node, changed, [*given, *closed.values(), *states.values()], bare)
    swaps.append((line, calling(results_of, line, lines, builder)))
    return swapped(place, swaps)


def line_of(place: FixSite, call: OperatorCall) -> cst.SimpleStatementLine:
    """The line of the call, of which nothing runs before the call but what it needs itself."""
    line = place.statement()
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        raise FixNotApplicable(NoFix.SHARED_LINE, "several statements on one line")
    path = place.path
    if not isinstance(path[path.index(line) - 1], cst.IndentedBlock):
        raise FixNotApplicable(NoFix.SHARED_LINE, "the statement is not in a block")
    for parent, child in zip(path[path.index(line) :], path[path.index(line) + 1 :], strict=False):
        if not _runs_first(parent, child):
            raise FixNotApplicable(NoFix.EVALUATION_ORDER, "something is computed before the call")
        if child is call.node:
            break
    small = line.body[0]
    if path[path.index(line) + 1] is not small:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported statement")
    if isinstance(small, (cst.Assign, cst.Return, cst.Expr)):
        last = path[path.index(small) + 1]
        if last is small.value:
            return line
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported statement")


def _runs_first(parent: cst.CSTNode, child: cst.CSTNode) -> bool:
    """Whether a part of an expression or statement is computed before its other parts."""
    if isinstance(parent, (cst.SimpleStatementLine, cst.Return, cst.Expr, cst.UnaryOperation, cst.Element)):
        return True
    if isinstance(parent, (cst.Assign, cst.Attribute, cst.Subscript)):
        return parent.value is child
    if isinstance(parent, (cst.BinaryOperation, cst.Comparison)):
        return parent.left is child
    if isinstance(parent, (cst.Tuple, cst.List)):
        return parent.elements[0] is child
    if isinstance(parent, cst.Call):
        return parent.func is child or (bool(dotted(parent.func)) and bool(parent.args) and parent.args[0] is child)
    return isinstance(parent, cst.Arg) and parent.value is child


def _writes(function: BranchFunction, index: int) -> bool:
    """Whether a function changes the tensor of a parameter in place.

    Raises:
        FixNotApplicable: it binds the name anew as well, so which tensor it changes is not plain.
    """
    name = function.parameters[index]
    if name not in side_effects(function.block).names:
        return False
    if name in names([cast("cst.BaseStatement", s.visit(_WithoutAugmented())) for s in function.block]).writes:
        raise FixNotApplicable(NoFix.NAME_CLASH, "the parameter is rebound")
    if not isinstance(function.node, cst.FunctionDef):
        raise FixNotApplicable(NoFix.SHARED_LINE, "a lambda has no statements")
    return True


class _WithoutAugmented(cst.CSTTransformer):
    """Takes out what writes a tensor in place, and binds no other."""

    def leave_AugAssign(self, original_node: cst.AugAssign, updated_node: cst.AugAssign) -> cst.BaseSmallStatement:
        return cst.Expr(updated_node.value)


def _refuse_shared(
    place: FixSite, call: OperatorCall, functions: Sequence[BranchFunction], index: int, env: Environment
) -> None:
    """Raises FixNotApplicable where a branch may see a written operand under another name, or it cannot be given back."""
    operand = call.operands[index]
    known = place.inference.infer(operand, dict(env))
    if not isinstance(known, TensorSignature) or not dotted(operand):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "what is written has no name")
    others = [place.inference.infer(o, dict(env)) for at, o in enumerate(call.operands) if at != index]
    for function in functions:
        free = names(function.block).reads - {*function.parameters}
        others += [env[name] for name in free if name in env]
        if "self" in free and any(root.startswith("self.") for root in known.storages):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "a branch may see the attribute that is written")
        if dotted(operand) in free:
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "a branch closes over what is written")
    for other in others:
        if any(isinstance(leaf, TensorSignature) and leaf.storages & known.storages for leaf in leaves(other)):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "a branch may see what is written under another name")


def _refuse_operands(place: FixSite, call: OperatorCall, states: dict[str, str], env: Environment) -> None:
    """Raises FixNotApplicable where a buffer that is written goes in as an operand as well."""
    held = {f"self.{name}" for name in states}
    for operand in call.operands:
        known = place.inference.infer(operand, dict(env))
        if any(isinstance(leaf, TensorSignature) and leaf.storages & held for leaf in leaves(known)):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "a buffer that is written is an operand too")


def _written_outside(function: BranchFunction, env: Environment) -> list[str]:
    """The tensors around a function that it closes over and changes in place."""
    own = {*function.parameters, *names(function.block).writes}
    found = sorted(
        n for n in side_effects(function.block).names if n not in own and isinstance(env.get(n), TensorSignature)
    )
    if found and not isinstance(function.node, cst.FunctionDef):
        raise FixNotApplicable(NoFix.SHARED_LINE, "a lambda has no statements")
    return found


def _refuse_aliases(
    place: FixSite, call: OperatorCall, functions: Sequence[BranchFunction], name: str, env: Environment
) -> None:
    """Raises FixNotApplicable where a branch may see a tensor that it closes over and writes under another name."""
    mine = env[name]
    assert isinstance(mine, TensorSignature)
    others = [place.inference.infer(operand, dict(env)) for operand in call.operands]
    for function in functions:
        if any(True for s in function.block for _ in below(s, cst.FunctionDef)) or any(
            True for s in function.block for _ in below(s, cst.Lambda)
        ):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "a function in the branch may see what is written")
        free = names(function.block).reads - {*function.parameters, name}
        others += [env[other] for other in free if other in env]
        if "self" in free and any(root.startswith("self.") for root in mine.storages):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "a branch may see the attribute that is written")
    for other in others:
        if any(isinstance(leaf, TensorSignature) and leaf.storages & mine.storages for leaf in leaves(other)):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "a branch may see what is written under another name")


class _Renamed(cst.CSTTransformer):
    """A name that is looked up, as another."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self._names = names

    def visit_Attribute_attr(self, node: cst.Attribute) -> None:
        return None

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        new = self._names.get(original_node.value)
        return updated_node if new is None else updated_node.with_changes(value=new)


@dataclass(frozen=True)
class _Written:
    """What the branches write: buffers and tensors around them, each with the name of its copy; operands by place."""

    states: dict[str, str]
    operands: list[int]
    closed: dict[str, str]


def _side(
    builder: Builder, call: OperatorCall, function: BranchFunction, written_: _Written, bare: bool, env: Environment
) -> BranchLowering:
    """A branch function that works on copies, and returns them behind its own result."""
    states, operands = written_.states, written_.operands
    block = list(function.block)
    if bare:
        if contains(block, cst.Return):
            raise FixNotApplicable(NoFix.OTHER_EXIT, "a branch may end early")
        block.append(cst.SimpleStatementLine([cst.Return(None)]))
    elif not never_falls_through(block):
        raise FixNotApplicable(NoFix.POSSIBLY_UNBOUND, "a path leaves the branch without a value")
    mine = [function.parameters[index] for index in operands if _writes(function, index)]
    copies = [
        cst.ensure_type(cst.parse_statement(f"{name} = {name}.clone()"), cst.SimpleStatementLine) for name in mine
    ]
    outside = {name: written_.closed[name] for name in _written_outside(function, env)}
    copies += [
        cst.ensure_type(cst.parse_statement(f"{local} = {name}.clone()"), cst.SimpleStatementLine)
        for name, local in outside.items()
    ]
    if outside:
        block = [cast("cst.BaseStatement", statement.visit(_Renamed(outside))) for statement in block]
        if names(function.block).writes & {*outside.values()}:
            raise FixNotApplicable(NoFix.NAME_CLASH, "the name of the copy is taken")
    side = BranchLowering(builder, [*copies, *block], inside(builder.place, call, function, env), [], states)
    side.outputs = [
        *[cst.Name(function.parameters[index]) for index in operands],
        *[cst.Name(outside.get(name, name)) for name in written_.closed],
        *side.outputs,
    ]
    side.returning_outputs()
    side.finish(None)
    return side


def _short(node: cst.BaseExpression) -> str:
    return f"new_{dotted(node).rpartition('.')[2]}"


@dataclass(frozen=True, eq=False)
class Call:
    """The call as it was and is. `given` are the names that its new results get; `bare` says that it had none before."""

    old: cst.Call
    new: cst.Call
    given: list[str]
    bare: bool


def calling(
    call: Call, line: cst.SimpleStatementLine, back: Sequence[cst.BaseStatement], builder: Builder
) -> cst.FlattenSentinel[cst.BaseStatement]:
    """The line of the call as: the call with its new results, what is written back, and what used the old result."""
    small = line.body[0]
    assert isinstance(small, (cst.Assign, cst.Return, cst.Expr))
    whole = small.value is call.old
    if call.bare and not (whole and isinstance(small, cst.Expr)):
        raise FixNotApplicable(NoFix.RESULT_USED, "what the branches do not return is used")
    first: list[cst.Name] = []
    used = not (isinstance(small, cst.Expr) and whole)
    if not call.bare:
        own = small.targets[0].target if isinstance(small, cst.Assign) and whole and len(small.targets) == 1 else None
        if isinstance(own, cst.Name):
            first, used = [own], False
        else:
            first = [cst.Name(builder.name("result" if used else "unused"))]
    targets: list[cst.BaseExpression] = [*first, *[cst.Name(name) for name in call.given]]
    target = targets[0] if len(targets) == 1 else cst.Tuple([cst.Element(t) for t in targets], lpar=[], rpar=[])
    assign = cst.Assign([cst.AssignTarget(cst.ensure_type(target, cst.BaseAssignTargetExpression))], call.new)
    body: list[cst.BaseStatement] = [line.with_changes(body=[assign]), *back]
    if used:
        rest = cast("cst.SimpleStatementLine", line.deep_replace(call.old, first[0].deep_clone()))
        body.append(rest.with_changes(leading_lines=[]))
    return cst.FlattenSentinel(body)
