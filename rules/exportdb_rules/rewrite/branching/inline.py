"""Methods that a branch calls for their effect, written out: what they write to buffers is then in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.fix_site import local_names
from exportdb_rules.rewrite.known.liveness import contains
from exportdb_rules.rewrite.known.names import names, parameters
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.known.inference import Inference
    from exportdb_rules.rewrite.known.liveness import Live
    from exportdb_rules.rewrite.known.names import NameUses

_DEPTH = 3


def inlined(node: cst.If, inference: Inference, live: Live) -> cst.If:
    """The `if` with its calls `self.method(…)` that stand alone replaced by the method's statements.

    A call whose method is not at hand stays as it is. `live` are the names that may be read after the `if`. Raises
    FixNotApplicable where names would get mixed up.
    """
    if not _calls_alone(node):
        return node

    class Inline(cst.CSTTransformer):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return False

        def leave_IndentedBlock(
            self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
        ) -> cst.IndentedBlock:
            block = list(updated_node.body)
            body = [new for statement in block for new in _expanded(statement, block, inference, live, 0)]
            same = len(body) == len(block) and all(new is old for new, old in zip(body, block, strict=True))
            return updated_node if same else updated_node.with_changes(body=body)

        def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
            done = super().on_leave(original_node, updated_node)
            if isinstance(done, cst.CSTNode) and done is not original_node:
                inference.origin[done] = inference.origin.get(original_node, original_node)
                return done
            return original_node

    return cst.ensure_type(node.visit(Inline()), cst.If)


def _calls_alone(node: cst.If) -> bool:
    stack: list[cst.CSTNode] = [node]
    while stack:
        here = stack.pop()
        if _method_of(here):
            return True
        if isinstance(here, (cst.If, cst.Else, cst.IndentedBlock, cst.With)):
            stack += list(here.children)
    return False


def _method_of(node: cst.CSTNode) -> str:
    """`m` where the statement is `self.m(…)` and no more."""
    if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
        return ""
    only = node.body[0]
    if not isinstance(only, cst.Expr) or not isinstance(only.value, cst.Call):
        return ""
    name = dotted(only.value.func)
    return name.removeprefix("self.") if name.startswith("self.") and name.count(".") == 1 else ""


def _expanded(
    node: cst.BaseStatement, block: Sequence[cst.BaseStatement], inference: Inference, live: Live, depth: int
) -> list[cst.BaseStatement]:
    """A statement of a block, or what stands for it: the statements of the method that it calls."""
    method = inference.submodules.methods.get(_method_of(node))
    if method is None:
        return [node]
    if depth >= _DEPTH:
        raise FixNotApplicable(NoFix.FUNCTION_USED_ELSEWHERE, "methods that call each other")
    line = cst.ensure_type(node, cst.SimpleStatementLine)
    call = cst.ensure_type(cst.ensure_type(line.body[0], cst.Expr).value, cst.Call)
    bound = _bound(method, call)
    body = [s for s in statements(method.body) if not _docstring(s)]
    if contains(body, cst.Return, cst.Yield, cst.Await, cst.Global, cst.Nonlocal, cst.FunctionDef, cst.ClassDef):
        raise FixNotApplicable(NoFix.OTHER_EXIT, "the method has another exit")
    _refuse_mixed_up(method, body, bound, names([s for s in block if s is not node]), call, inference, live)
    done: list[cst.BaseStatement] = [
        cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], value)])
        for name, value in bound.items()
        if dotted(value) != name
    ]
    for statement in body:
        done += _expanded(statement, body, inference, live, depth + 1)
    if done and line.leading_lines and isinstance(done[0], cst.SimpleStatementLine):
        done[0] = done[0].with_changes(leading_lines=[*line.leading_lines, *done[0].leading_lines])
    return done


def _refuse_mixed_up(
    method: cst.FunctionDef,
    body: Sequence[cst.BaseStatement],
    bound: dict[str, cst.BaseExpression],
    around: NameUses,
    call: cst.Call,
    inference: Inference,
    live: Live,
) -> None:
    """Raises FixNotApplicable where a name means one thing in the method and another where it is written out."""
    inside = names(body)
    assigned = {name for name, value in bound.items() if dotted(value) != name}
    if (assigned | inside.writes) & (around.reads | around.writes | live):
        raise FixNotApplicable(NoFix.NAME_CLASH, "the method has local names that are used around the call too")
    if assigned & names(call).reads:
        raise FixNotApplicable(
            NoFix.EVALUATION_ORDER, "the parameters of the method would be bound one after the other"
        )
    free = (inside.reads | inside.captured) - inside.writes - {p.name.value for p in parameters(method)}
    if free & local_names(inference.function):
        raise FixNotApplicable(
            NoFix.NAME_CLASH, "the method reads a name of the module that is another one where it is called"
        )


def _bound(method: cst.FunctionDef, call: cst.Call) -> dict[str, cst.BaseExpression]:
    """What each parameter of the method gets."""
    p = method.params
    plain = not p.kwonly_params and p.star_kwarg is None and not isinstance(p.star_arg, cst.Param)
    if not plain or method.decorators or method.asynchronous is not None or any(a.star for a in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported method")
    given = parameters(method)[1:]
    bound = arguments(call.args).by_name(*[p.name.value for p in given])
    if bound is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    for parameter in given:
        if parameter.name.value not in bound:
            if parameter.default is None:
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an argument is missing")
            bound[parameter.name.value] = parameter.default
    if bound.keys() != {p.name.value for p in given}:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    return bound


def _docstring(node: cst.BaseStatement) -> bool:
    if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
        return False
    only = node.body[0]
    return isinstance(only, cst.Expr) and isinstance(only.value, (cst.SimpleString, cst.ConcatenatedString))
