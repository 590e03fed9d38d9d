"""Methods that a branch calls for their effect, written out: what they write to buffers is then in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.known.liveness import contains
from exportdb_rules.rewrite.known.names import names, parameters
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.tree import dotted, statements

if TYPE_CHECKING:
    from exportdb_rules.rewrite.known.inference import Inference

_DEPTH = 3


def written_out(node: cst.If, inference: Inference) -> cst.If:
    """The `if` with its calls `self.method(…)` that stand alone replaced by the method's statements.

    A call whose method is not at hand stays as it is. Raises Refused where names would get mixed up.
    """
    if not _calls_alone(node):
        return node

    class Inline(cst.CSTTransformer):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return False

        def leave_IndentedBlock(
            self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
        ) -> cst.IndentedBlock:
            body: list[cst.BaseStatement] = []
            for statement in updated_node.body:
                body += _expanded(statement, updated_node, inference, 0)
            if len(body) == len(updated_node.body):
                return updated_node
            return updated_node.with_changes(body=body)

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
    node: cst.BaseStatement | cst.BaseSmallStatement, block: cst.IndentedBlock, inference: Inference, depth: int
) -> list[cst.BaseStatement]:
    assert isinstance(node, cst.BaseStatement)
    method = inference.submodules.methods.get(_method_of(node))
    if method is None:
        return [node]
    if depth >= _DEPTH:
        raise Refused("methods that call each other")
    line = cst.ensure_type(node, cst.SimpleStatementLine)
    call = cst.ensure_type(cst.ensure_type(line.body[0], cst.Expr).value, cst.Call)
    bound = _bound(method, call)
    body = [s for s in statements(method.body) if not _docstring(s)]
    if contains(body, cst.Return, cst.Yield, cst.Await, cst.Global, cst.Nonlocal, cst.FunctionDef, cst.ClassDef):
        raise Refused("the method can be left in another way")
    own = {p.name.value for p in parameters(method)} | names(body).writes
    around = names([s for s in block.body if s is not node])
    if own & (around.reads | around.writes | names(call).reads) - {p for p, a in bound.items() if dotted(a) == p} - {
        "self"
    }:
        raise Refused("the method has local names that the branch has too")
    first: list[cst.BaseStatement] = [
        cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], value)])
        for name, value in bound.items()
        if dotted(value) != name
    ]
    done: list[cst.BaseStatement] = [*first]
    for statement in body:
        done += _expanded(statement, cst.IndentedBlock(body), inference, depth + 1)
    if done and line.leading_lines and isinstance(done[0], cst.SimpleStatementLine):
        done[0] = done[0].with_changes(leading_lines=[*line.leading_lines, *done[0].leading_lines])
    return done


def _bound(method: cst.FunctionDef, call: cst.Call) -> dict[str, cst.BaseExpression]:
    """What each parameter of the method gets."""
    p = method.params
    plain = not p.kwonly_params and p.star_kwarg is None and not isinstance(p.star_arg, cst.Param)
    if not plain or method.decorators or method.asynchronous is not None or any(a.star for a in call.args):
        raise Refused("an unusual method")
    given = [q.name.value for q in parameters(method)][1:]
    bound: dict[str, cst.BaseExpression] = {}
    for position, arg in enumerate(call.args):
        if arg.keyword is not None:
            bound[arg.keyword.value] = arg.value
        elif position < len(given):
            bound[given[position]] = arg.value
    for parameter in parameters(method)[1:]:
        if parameter.name.value not in bound:
            if parameter.default is None:
                raise Refused("an argument is missing")
            bound[parameter.name.value] = parameter.default
    if set(bound) != set(given):
        raise Refused("unusual arguments")
    return bound


def _docstring(node: cst.BaseStatement) -> bool:
    if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
        return False
    only = node.body[0]
    return isinstance(only, cst.Expr) and isinstance(only.value, (cst.SimpleString, cst.ConcatenatedString))
