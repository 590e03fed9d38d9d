"""torch.cond, while_loop, map and scan: their branches are traced like any other code."""

from __future__ import annotations

import ast
from functools import reduce
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Branched
from exportdb_rules.interpreter.branches import run_branch
from exportdb_rules.interpreter.dispatch import call
from exportdb_rules.interpreter.iteration import row
from exportdb_rules.interpreter.library import models
from exportdb_rules.interpreter.shape_tokens import parts_of
from exportdb_rules.lattice import Sequence, join
from exportdb_rules.values import FRESH, TOP, Const, Tensor, Value

if TYPE_CHECKING:
    from exportdb_rules.facts import Branch
    from exportdb_rules.interpreter.machine import Frame


def _operands(value: Value | None) -> tuple[list[Value], bool]:
    """What a tuple of operands holds, and whether that is all of it."""
    if type(value) is Sequence and value.items is not None:
        return list(value.items), True
    return ([], True) if value is None else ([TOP], False)


def _argument(args: list[Value], keywords: dict[str, Value], position: int, *names: str) -> Value | None:
    if position < len(args):
        return args[position]
    return next((keywords[n] for n in names if n in keywords), None)


def _cond(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    operands, counted = _operands(_argument(args, keywords, 3, "operands"))
    predicate = _argument(args, keywords, 0, "pred") or TOP
    branches: list[Branch] = []
    frame.depth += 1
    for position, name in ((1, "true_fn"), (2, "false_fn")):
        branch = _argument(args, keywords, position, name)
        if type(predicate) is Const and isinstance(predicate.value, bool) and predicate.value is not (position == 1):
            continue
        if branch is not None:
            branches.append(run_branch(frame, node, name, branch, operands))
    frame.depth -= 1
    grad, training = frame.run.no_grad == 0, frame.run.training
    frame.emit(Branched(frame.site(node), "cond", tuple(operands), tuple(branches), counted, predicate, grad, training))
    return reduce(_agreed, [branch.result for branch in branches if not branch.raises] or [TOP])


def _agreed(a: Value, b: Value) -> Value:
    """What `torch.cond` gives, which raises where its branches give other dtypes or sizes than one another: what is known of
    the one holds of the other."""
    both = join(a, b)
    if type(a) is Sequence and type(b) is Sequence and type(both) is Sequence and a.items and b.items and both.items:
        return Sequence(both.type, [_agreed(one, other) for one, other in zip(a.items, b.items, strict=True)])
    if type(a) is not Tensor or type(b) is not Tensor or type(both) is not Tensor:
        return both
    shapes = [tensor.shape for tensor in (a, b) if tensor.shape is not None]
    dtypes = [tensor.dtype for tensor in (a, b) if tensor.dtype is not None]
    return both.changed(
        # That of fewer parts: of `x` and `x + bias` it is the shape of x.
        shape=min(shapes, key=lambda shape: len(parts_of(shape)), default=None),
        dtype=min(dtypes, key=lambda dtype: not isinstance(dtype, str), default=None),
    )


def _while_loop(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    carried, counted = _operands(_argument(args, keywords, 2, "carried_inputs"))
    branches: list[Branch] = []
    frame.depth += 1
    for position, name in ((0, "cond_fn"), (1, "body_fn")):
        function = _argument(args, keywords, position, name)
        if function is not None:
            branches.append(run_branch(frame, node, name, function, carried))
    frame.depth -= 1
    predicate = next((branch.result for branch in branches if branch.role == "cond_fn"), None)
    frame.emit(
        Branched(
            frame.site(node),
            "while_loop",
            tuple(carried),
            tuple(branches),
            counted,
            predicate,
            training=frame.run.training,
        )
    )
    return Sequence("tuple", [_computed(value) for value in carried])


def _computed(value: Value) -> Value:
    """What a loop carries, behind it: whatever it began as, its numbers are the loop's."""
    if type(value) is not Tensor:
        return value
    return value.changed(origin=FRESH, alias=False, constant=False, param=None)


def _map(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if len(args) < 2:
        return TOP
    element = row(args[1]) if type(args[1]) is Tensor else TOP
    result = _each(frame, node, "map", "body_fn", args[0], [element, *args[2:]])
    return Tensor() if type(result) is Tensor else TOP


def _scan(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if len(args) < 3:
        return TOP
    moved = keywords.get("dim", Const(0))
    along_first = type(moved) is Const and moved.value == 0
    element = row(args[2]) if type(args[2]) is Tensor and along_first else TOP
    result = _each(frame, node, "scan", "combine_fn", args[0], [args[1], element])
    if type(result) is Sequence and result.items is not None and len(result.items) == 2:
        return Sequence("tuple", [join(args[1], result.items[0]), Tensor()])
    return TOP


def _associative_scan(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`torch.vmap` runs the function, which strict export alone captures, on parts of all that is scanned."""
    function, scanned = _argument(args, keywords, 0, "combine_fn"), _argument(args, keywords, 1, "xs")
    if function is None or scanned is None:
        return TOP
    frame.depth += 1
    result = call(frame, node, function, [scanned, scanned], {})
    frame.depth -= 1
    return result


def run_scan_operator(frame: Frame, node: ast.AST, args: list[Value]) -> Value:
    """`torch.ops.higher_order.scan(combine_fn, init, xs, additional_inputs)`: its function runs on tensors one by one."""
    if len(args) < 3:
        return TOP
    carried, rows, more = [_operands(value)[0] for value in (args[1], args[2], args[3] if len(args) > 3 else None)]
    parts = [row(value) if type(value) is Tensor else TOP for value in rows]
    frame.depth += 1
    run_branch(frame, node, "combine_fn", args[0], [*carried, *parts, *more])
    frame.depth -= 1
    return Sequence("tuple", None, Tensor())


def _each(frame: Frame, node: ast.AST, operator: str, role: str, function: Value, operands: list[Value]) -> Value:
    """A function is run on each part of what it is mapped over."""
    frame.depth += 1
    branch = run_branch(frame, node, role, function, operands)
    frame.depth -= 1
    counted = not any(isinstance(arg, ast.Starred) for arg in getattr(node, "args", ()))
    frame.emit(Branched(frame.site(node), operator, tuple(operands), (branch,), counted, training=frame.run.training))
    return branch.result


_TABLE: Final = {
    "cond": _cond, "while_loop": _while_loop, "map": _map, "scan": _scan, "associative_scan": _associative_scan,
}  # fmt: skip
_OPERATORS: Final = {
    "torch.cond": "cond", "torch._higher_order_ops.cond": "cond", "torch._higher_order_ops.cond.cond": "cond",
    "functorch.experimental.control_flow.cond": "cond", "torch._higher_order_ops.while_loop": "while_loop",
    "torch._higher_order_ops.map": "map", "torch._higher_order_ops.map.map": "map",
    "torch._higher_order_ops.scan": "scan", "torch._higher_order_ops.scan.scan": "scan",
    "torch._higher_order_ops.associative_scan": "associative_scan",
    "torch._higher_order_ops.associative_scan.associative_scan": "associative_scan",
    "torch._higher_order_ops.while_loop.while_loop": "while_loop", "functorch.experimental.control_flow.map": "map",
}  # fmt: skip


@models(*_OPERATORS)
def _higher_order(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A higher-order operator: its functions run on its operands, and neither path is ruled out."""
    result = _TABLE[_OPERATORS[name]](frame, node, args, keywords)
    frame.emit_call(node, name, args, keywords, result)
    return result
