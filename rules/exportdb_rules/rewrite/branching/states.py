"""Buffers that a branch writes, as locals of the branch: `torch.cond` refuses the write, and takes the value.

`self.count += 1` in a branch becomes `count = self.count.clone(); count += 1; return count`, with
`self.count.copy_(count)` behind the call. The clone keeps what `copy_`, `fill_` or an item assignment would have done
to the buffer: its shape, its dtype.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.known.mutation import in_place
from exportdb_rules.rewrite.known.observed import keeps_statistics, of_value
from exportdb_rules.rewrite.known.signature import SCALAR, AttributeShape, TensorSignature, leaves, numeric
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, children, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.rewrite.known.inference import Environment, Inference


def buffer_writes(block: Iterable[cst.CSTNode], inference: Inference) -> list[str]:
    """The attributes of `self` that hold buffers and that the statements write, in order."""
    found: dict[str, None] = {}
    for node in block:
        _visit(node, inference, found)
    return list(found)


def _visit(node: cst.CSTNode, inference: Inference, found: dict[str, None]) -> None:
    # `isinstance` of a node asks its abstract base each time, and this visits every node of a branch.
    if type(node) is cst.FunctionDef or type(node) is cst.ClassDef or type(node) is cst.Lambda:
        return
    targets: list[cst.CSTNode] = []
    if type(node) is cst.AugAssign or type(node) is cst.AnnAssign:
        targets = [node.target]
    elif type(node) is cst.Assign:
        targets = [t.target for t in node.targets]
    elif type(node) is cst.Call and isinstance(node.func, cst.Attribute) and in_place(node):
        targets = [node.func.value]
    for target in targets:
        name = _buffer(target)
        if name and is_buffer(name, inference):
            found.setdefault(name)
    for child in children(node):
        _visit(child, inference, found)


def _buffer(node: cst.CSTNode) -> str:
    """`b` of `self.b`, `self.b.data`, `self.b[i]`, and of a chain of calls on one of these; '' of anything else."""
    while True:
        if isinstance(node, cst.Subscript):
            node = node.value
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            node = node.func.value
        elif isinstance(node, cst.Attribute) and node.attr.value == "data" and not _is_self(node.value):
            node = node.value
        else:
            break
    if isinstance(node, cst.Attribute) and _is_self(node.value):
        return node.attr.value
    return ""


def _is_self(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Name) and node.value == "self"


def is_buffer(name: str, inference: Inference) -> bool:
    """Whether `self.<name>` is a buffer, or a parameter: the constructor registers it, or the interpreter saw one there."""
    return name in inference.submodules.buffers or _value(name, inference) is not None


def is_parameter(name: str, inference: Inference) -> bool:
    """Whether `self.<name>` is a parameter: it is written where no gradients are computed."""
    value = _value(name, inference)
    kinds = lattice.choices(value) if value is not None else ()
    return any(isinstance(c, domain.Tensor) and c.origin == domain.PARAMETER for c in kinds)


def _value(name: str, inference: Inference) -> domain.Value | None:
    """What the interpreter says of a buffer or a parameter where it is read."""
    for node in _reads(inference.function, name):
        value = inference.value(node)
        kinds = lattice.choices(value) if value is not None else ()
        held = (domain.BUFFER, domain.PARAMETER)
        if kinds and all(type(c) is domain.Tensor and c.origin in held for c in kinds):
            return value
    return None


def _reads(node: cst.CSTNode, name: str) -> list[cst.Attribute]:
    return [found for found in below(node, cst.Attribute) if dotted(found) == f"self.{name}"]


def signature(name: str, inference: Inference) -> TensorSignature:
    """The signature of `self.<name>`.

    Raises:
        FixNotApplicable: nothing is known of it.
    """
    value = _value(name, inference)
    code = f"self.{name}"
    if value is None:
        seen = (inference.value(node) for node in _reads(inference.tree.module, name))
        value = next((one for one in seen if one is not None), None)
    known = None if value is None else of_value(value, code, frozenset([code]), inference.example_sizes)
    if not isinstance(known, TensorSignature):
        made = inference.submodules.buffers.get(name)
        known = None if made is None else inference.infer(made, {})
    if not isinstance(known, TensorSignature):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, f"nothing is known of {code}")
    shape = SCALAR if known.shape == SCALAR else AttributeShape(code, numeric(known.shape))
    return TensorSignature(known.dtype, shape, frozenset([code]), False, known.observed)


def attribute(name: str, inference: Inference) -> cst.Attribute:
    """A new `self.<name>`, of which the inference knows what it is."""
    node = cst.ensure_type(cst.parse_expression(f"self.{name}"), cst.Attribute)
    inference.known[node] = signature(name, inference)
    return node


def refuse_hidden(block: Sequence[cst.CSTNode], states: Iterable[str], env: Environment, inference: Inference) -> None:
    """Raises FixNotApplicable where a statement may see, or change, a written buffer under another name than its own."""
    wanted = set(states)
    if not wanted:
        return
    borrowed = {
        name
        for name, known in env.items()
        for leaf in leaves(known)
        if isinstance(leaf, TensorSignature)
        and any(storage.removeprefix("self.") in wanted for storage in leaf.storages)
    }
    stack: list[cst.CSTNode] = list(block)
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Name) and node.value in borrowed:
            raise FixNotApplicable(
                NoFix.ALIASED_WRITE, f"{node.value} may share the storage of a buffer that is written"
            )
        if isinstance(node, cst.Call):
            if any(_is_self(a.value) for a in node.args):
                raise FixNotApplicable(NoFix.FUNCTION_USED_ELSEWHERE, "`self` is passed on")
            if isinstance(node.func, cst.Attribute) and _is_self(node.func.value):
                _refuse_method(node.func.attr.value, wanted, inference, set())
        stack += [node.value] if isinstance(node, cst.Attribute) else children(node)


def _refuse_method(name: str, wanted: set[str], inference: Inference, seen: set[str]) -> None:
    submodules = inference.submodules
    method = submodules.methods.get(name)
    if method is None:
        if name not in submodules.calls:
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, f"it is not known what self.{name} does")
        return
    if name in seen:
        return
    seen.add(name)
    for attr in wanted:
        if _reads(method, attr):
            raise FixNotApplicable(NoFix.MODULE_STATE, f"self.{name} uses a buffer that is written")
    for call in below(method.body, cst.Call):
        if isinstance(call.func, cst.Attribute) and _is_self(call.func.value):
            _refuse_method(call.func.attr.value, wanted, inference, seen)


def refuse_statistics(block: Iterable[cst.CSTNode], inference: Inference) -> None:
    """Raises FixNotApplicable where a batch normalisation is called: in training it writes its running statistics, which no
    branch of a torch.cond may."""
    for call in [call for node in block for call in below(node, cst.Call)]:
        if keeps_statistics(inference.kinds(call.func)):
            code = inference.tree.code(call.func)
            raise FixNotApplicable(NoFix.MODULE_STATE, f"a branch calls {code}, which keeps statistics")


def localised(
    block: Sequence[cst.BaseStatement], names: dict[str, str], inference: Inference
) -> list[cst.BaseStatement]:
    """The statements with `self.<attribute>` (and its `.data`) as the local name that it has in `names`."""

    class Local(cst.CSTTransformer):
        def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
            if isinstance(original_node, cst.Attribute):
                if _is_self(original_node.value) and original_node.attr.value in names:
                    return cst.Name(names[original_node.attr.value], lpar=original_node.lpar, rpar=original_node.rpar)
                inner = _buffer(original_node)
                if original_node.attr.value == "data" and inner in names and isinstance(updated_node, cst.Attribute):
                    return updated_node.value
            if updated_node is not original_node:
                inference.origin[updated_node] = inference.origin.get(original_node, original_node)
            return updated_node

    return [cst.ensure_type(statement.visit(Local()), cst.BaseStatement) for statement in block]


def returning(
    block: Sequence[cst.BaseStatement], extra: Sequence[cst.BaseExpression], inference: Inference
) -> list[cst.BaseStatement]:
    """The statements with every return giving its value and `extra` as a tuple; just `extra` where it gives none."""
    kinds: set[bool] = set()

    class Returns(cst.CSTTransformer):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return False

        def visit_Lambda(self, node: cst.Lambda) -> bool:
            return False

        def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
            if isinstance(updated_node, cst.Return):
                value = updated_node.value
                kinds.add(value is None)
                values = [] if value is None else [_parenthesised(value)]
                new = [*values, *extra]
                made = new[0] if len(new) == 1 else cst.Tuple([cst.Element(v) for v in new], lpar=[], rpar=[])
                updated_node = updated_node.with_changes(value=made, whitespace_after_return=cst.SimpleWhitespace(" "))
            if updated_node is not original_node:
                inference.origin[updated_node] = inference.origin.get(original_node, original_node)
            return updated_node

    done = [cst.ensure_type(statement.visit(Returns()), cst.BaseStatement) for statement in block]
    if len(kinds) > 1:
        raise FixNotApplicable(NoFix.BRANCHES_DIFFER, "a value is returned on one path, none on another")
    return done


def _parenthesised(node: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(node, cst.Tuple) and not node.lpar:
        return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return node
