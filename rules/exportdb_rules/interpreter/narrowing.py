"""Conditions: what they ask of a value, whether their answer is known, and what they tell on each side."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import dotted
from exportdb_rules.facts import NumpyAsked, TraceTimeUsed, TruthForm, TruthTested
from exportdb_rules.interpreter import ranks
from exportdb_rules.interpreter.dispatch import call_method
from exportdb_rules.interpreter.environment import AttributePath, EntryPath, Narrowed, Path, Refinements, SizePath
from exportdb_rules.interpreter.machine import Frame, evaluate, record
from exportdb_rules.interpreter.numpy_provenance import ask_kept
from exportdb_rules.interpreter.operators import MIRRORED, compare
from exportdb_rules.interpreter.packed_sequences import PACKED
from exportdb_rules.lattice import Mapping, Sequence, choices, is_none, join_all, may_be_none, without_none
from exportdb_rules.terms import answered
from exportdb_rules.values import (
    ANYWHERE,
    INPUT,
    NONE,
    NUMPY,
    PARAMETER,
    STATIC,
    TOP,
    Class,
    Const,
    Evidence,
    External,
    Function,
    Instance,
    Method,
    ModuleRef,
    Partial,
    Shape,
    Static,
    Sym,
    Tensor,
    TraceTime,
    Union,
    Value,
    is_returned,
    is_unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from exportdb_rules.slice_guards import Answer

_TRUE_OBJECTS = (Function, Class, External, Method, ModuleRef, Partial)


def truth(frame: Frame, node: ast.AST, value: Value, form: TruthForm, statement: ast.AST) -> bool | None:
    """Ask a value for its truth: tell what that does to export, and the answer where it is known."""
    if frame.training and type(value) in (Tensor, TraceTime, Union):
        value = in_training(value)
    if type(value) is Const:
        return bool(value.value)
    if type(value) is Static or type(value) is type(TOP):
        if form != "assert":
            ask_kept(frame, node, "branch", value)
        if value is NUMPY and form != "assert":
            frame.emit(NumpyAsked(frame.site(node), "branch"))
        return None
    if type(value) is Tensor:
        if value.constant and form in ("assert", "any", "all", "bool"):
            return None
        form = "constant" if value.constant else form
        value = _flag(value) if value.evidence is Evidence.DERIVED and _is_entry_of_dict(node) else value
        frame.emit(TruthTested(frame.site(node), value, form, statement))
        return None
    if type(value) is Sym:
        if value.type == "bool" and value.low is not None and value.low == value.high:
            return bool(value.low)
        if value.backed and value.size and (frame.run.dynamic.kind != "unbacked" or (value.low or 0) > 0):
            return True  # a dynamic dimension has no size 0, unless it has no size in the example
        dynamic = frame.run.dynamic
        seen = None if value.asked is None else answered(value.asked, dynamic.sizes)
        is_open = value.asked is not None and seen is not None and dynamic.leave_open(value.asked, seen)
        frame.emit(TruthTested(frame.site(node), value, form, statement, seen, is_open))
        return None if value.then is None else truth(frame, node, value.then, form, statement)
    if type(value) is TraceTime:
        raised = _raised_by_class(node, statement) if value.source == "type" else None
        frame.emit(TraceTimeUsed(frame.site(raised or node), value, "guard" if raised is not None else "branch"))
        return None
    if type(value) in _TRUE_OBJECTS:
        return True
    if type(value) is Instance:
        return _instance_truth(frame, node, value, form, statement)
    if type(value) is Sequence:
        return _sequence_truth(frame, node, value, form, statement)
    if type(value) is Mapping:
        return True if value.items and value.element is None else None
    if type(value) is Union:
        parts: tuple[Value, ...] = value.choices
        parts = tuple([_optional(choice) for choice in parts])
        if any(type(choice) is Const and choice.value is not None for choice in parts):
            # Which of them it is, is not known: `sample = not self.training or bool(…)`.
            parts = tuple([_less_sure(choice) for choice in parts])
        answers = {truth(frame, node, choice, form, statement) for choice in parts}
        return answers.pop() if len(answers) == 1 else None
    return None


def _raised_by_class(test: ast.AST, statement: ast.AST) -> ast.AST | None:
    """What raises while tracing because a tensor has another class: an assertion, or a `raise` behind `is not Tensor`."""
    operator = test.ops[0] if isinstance(test, ast.Compare) else None
    if isinstance(statement, ast.Assert) and isinstance(operator, (ast.Is, ast.Eq, ast.In)):
        return test
    last = statement.body[-1] if isinstance(statement, ast.If) and statement.test is test else None
    return last if isinstance(last, ast.Raise) and isinstance(operator, (ast.IsNot, ast.NotEq, ast.NotIn)) else None


def _raised_by_type(test: ast.AST, statement: ast.AST) -> ast.AST | None:
    """What raises where `isinstance(…)` says no: an assertion, or the `raise` behind `not isinstance(…)`."""
    if not (isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance"):
        return None
    if isinstance(statement, ast.Assert):
        return None if _is_negated(statement.test, test) else test
    last = statement.body[-1] if isinstance(statement, ast.If) else None
    return last if isinstance(last, ast.Raise) and _is_negated(statement.test, test) else None  # type: ignore[attr-defined]


def _is_negated(whole: ast.expr, part: ast.expr) -> bool:
    """Whether a part of a condition stands behind an odd number of `not`."""
    if isinstance(whole, ast.UnaryOp) and isinstance(whole.op, ast.Not):
        return not _is_negated(whole.operand, part)
    if isinstance(whole, ast.BoolOp):
        inside = [operand for operand in whole.values if any(node is part for node in ast.walk(operand))]
        return bool(inside) and _is_negated(inside[0], part)
    return False


def training_test(test: ast.expr, outcome: bool) -> bool:
    """Whether a condition that comes out as `outcome` says that the module is in training mode."""
    kind = test.__class__
    if kind is ast.Attribute:
        return outcome and test.attr == "training"  # type: ignore[attr-defined]
    if kind is ast.UnaryOp and test.op.__class__ is ast.Not:  # type: ignore[attr-defined]
        return training_test(test.operand, not outcome)  # type: ignore[attr-defined]
    if kind is ast.BoolOp and (test.op.__class__ is ast.And) is outcome:  # type: ignore[attr-defined]
        return any(training_test(operand, outcome) for operand in test.values)  # type: ignore[attr-defined]
    return False


def by_default(frame: Frame, test: ast.expr) -> bool | None:
    """How a condition on options comes out where the constructor is given none, and one that asks whether an unknown value is a
    text; None of any other condition, and in code that runs before tracing, of which no fact is told."""
    return combined(frame, test, _by_default) if frame.traced else None


def combined(frame: Frame, test: ast.expr, ask: Callable[[Frame, ast.expr], bool | None]) -> bool | None:
    """How a condition comes out, from how those come out that `not`, `and` and `or` make it of; None where that is not known."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        answer = combined(frame, test.operand, ask)
        return None if answer is None else not answer
    if isinstance(test, ast.BoolOp):
        deciding = isinstance(test.op, ast.Or)
        answers = {combined(frame, operand, ask) for operand in test.values}
        return deciding if deciding in answers else None if None in answers else not deciding
    return ask(frame, test)


def _by_default(frame: Frame, test: ast.expr) -> bool | None:
    if isinstance(test, ast.Call) and dotted(test.func) == "isinstance" and len(test.args) == 2:
        asked, classes = test.args
        # No text comes in where a model is exported.
        value = evaluate_quietly(frame, asked)
        return False if dotted(classes) == "str" and is_unknown(value) else None
    known = _default_of(frame, test.left if isinstance(test, ast.Compare) else test)
    if isinstance(test, ast.Compare) and known is not None:
        other = _default_of(frame, test.comparators[0])
        if other is None or len(test.ops) > 1:
            return None
        answer = compare(frame, test, test.ops[0], known, other)
        return bool(answer.value) if type(answer) is Const else None
    return None if known is None else bool(known.value)


def _default_of(frame: Frame, node: ast.expr) -> Const | None:
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Constant)):
        return None
    value = evaluate_quietly(frame, node)
    return value if type(value) is Const else value.default if type(value) is Static else None


def in_training(value: Value) -> Value:
    """A value that is asked for in training mode only.

    Where it was drawn, it decides what training drops (`self.training and torch.rand([]) < p`). Models are exported in
    eval mode, as a rule, and such a line runs there too: no more than a possible finding rests on it.
    """
    if type(value) is Tensor and value.random:
        return value.changed(evidence=Evidence.ASSUMED, param=None)
    if type(value) is TraceTime and value.drawn and value.evidence is Evidence.OBSERVED:
        return TraceTime(value.source, value.type, value.site, Evidence.ASSUMED)
    if type(value) is Union:
        return Union(tuple([in_training(choice) for choice in value.choices]))
    return value


def plain_in_eval(before: Value, trained: Value) -> Value:
    """What training mode makes of a value that is plain otherwise (`skip = False; if self.training: skip = t < p`)."""
    if type(before) not in (Const, Static):
        return trained
    return STATIC if type(trained) is TraceTime else in_training(trained)


def _optional(value: Value) -> Value:
    """`if mask:` on an optional argument asks whether it was given: with a tensor it would fail in eager already."""
    return _flag(value) if type(value) is Tensor and value.alias else value


def _less_sure(value: Value) -> Value:
    return value.changed(evidence=min(Evidence.DERIVED, value.evidence)) if isinstance(value, (Tensor, Sym)) else value


def _is_entry_of_dict(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
    )


def _flag(value: Tensor) -> Tensor:
    """What is asked for its truth as it came in: most often a flag, for a batch of several has no truth in eager either."""
    return value.changed(evidence=Evidence.ASSUMED, param=None) if value.origin == INPUT else value


def _instance_truth(frame: Frame, node: ast.AST, value: Instance, form: TruthForm, statement: ast.AST) -> bool | None:
    if value.cls is None:
        return None if value.elements is not None else True
    project = frame.run.project
    for asked in ("__bool__", "__len__"):
        if value.cls.find(asked, project) is not None:
            answer = call_method(frame, node, value, asked, [])
            return None if type(answer) is Instance else truth(frame, node, answer, form, statement)
    return None if any(base.startswith("?") for base in value.cls.external_bases(project)) else True


def _sequence_truth(frame: Frame, node: ast.AST, value: Sequence, form: TruthForm, statement: ast.AST) -> bool | None:
    if type(value.length) in (Sym, Tensor):
        frame.emit(TruthTested(frame.site(node), value.length, form, statement))  # type: ignore[arg-type]
        return None
    if value.type in ("generator", "iterator"):
        return True
    return bool(value.items) if value.items is not None else None


def condition(frame: Frame, test: ast.expr, form: TruthForm, statement: ast.AST) -> bool | None:
    """Evaluate a condition and ask for its truth.

    `and`, `or` and `not` inside it ask each operand in turn: the fact names the operand that is the tensor.
    """
    kind = test.__class__
    if kind is ast.BoolOp:
        answer = _bool_op(frame, test, form, statement)  # type: ignore[arg-type]
        if frame.values is not None:
            record(frame.values, test, TOP)
        return answer
    if kind is ast.UnaryOp and test.op.__class__ is ast.Not:  # type: ignore[attr-defined]
        answer = condition(frame, test.operand, form, statement)  # type: ignore[attr-defined]
        return None if answer is None else not answer
    outer, frame.raised = frame.raised, _raised_by_type(test, statement)
    asked = _asked_by_bool(frame, test)
    value = evaluate(frame, test if asked is None else asked)
    frame.raised = outer
    if asked is not None and frame.values is not None:
        record(frame.values, test, TOP)
    if asked is not None and type(value) is Tensor and value.constant:
        form = "bool"  # its number is read back
    return truth(frame, test, value, form, statement)


def _asked_by_bool(frame: Frame, test: ast.expr) -> ast.expr | None:
    """What a condition asks by `bool(…)`, as it does without it."""
    if not (isinstance(test, ast.Call) and len(test.args) == 1 and not test.keywords):
        return None
    called = evaluate(frame, test.func) if isinstance(test.func, ast.Name) and test.func.id == "bool" else None
    return test.args[0] if type(called) is External and called.name == "builtins.bool" else None


def _bool_op(frame: Frame, test: ast.BoolOp, form: TruthForm, statement: ast.AST) -> bool | None:
    is_and = test.op.__class__ is ast.And
    narrowed: list[Narrowed] = []
    result: bool | None = is_and
    training, depth, off = frame.training, frame.depth, frame.off
    for operand in test.values:
        answer = condition(frame, operand, form, statement)
        if answer is (not is_and):
            result = answer
            break
        if answer is None:
            result = None
        narrowed.append(undecided(frame, operand, answer, is_and=is_and))
    frame.training, frame.depth, frame.off = training, depth, off
    for saved in reversed(narrowed):
        frame.env.widen(saved)
    return result


def undecided(frame: Frame, operand: ast.expr, answer: bool | None, *, is_and: bool) -> Narrowed:
    """Narrow the names that an operand of `and` or `or` speaks of for the next one, which is reached only if this one, whose
    truth is `answer` where it is known, did not decide."""
    if answer is None:
        frame.depth += 1
        frame.off += by_default(frame, operand) is (not is_and)
        frame.training += training_test(operand, is_and)
    return frame.env.narrow(refinements(frame, operand, is_and))


def narrow(frame: Frame, test: ast.expr, outcome: bool) -> None:
    """Narrow the names that a condition speaks of, on the side where it came out as `outcome`."""
    if frame.run.learns_ranks:
        ranks.compared(frame, test, outcome)
    if changes := refinements(frame, test, outcome):
        frame.env.narrow(changes)


def comparisons(frame: Frame, test: ast.expr) -> tuple[list[Answer], list[Answer]]:
    """The comparisons of sizes whose answers are known where a condition holds, and where it does not."""
    if not frame.run.dynamic.any:
        return [], []
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        held, failed = comparisons(frame, test.operand)
        return failed, held
    if isinstance(test, ast.BoolOp):
        place = 0 if isinstance(test.op, ast.And) else 1
        every = [answer for operand in test.values for answer in comparisons(frame, operand)[place]]
        return (every, []) if place == 0 else ([], every)
    value = evaluate_quietly(frame, test) if isinstance(test, ast.Compare) else None
    asked = value.asked if type(value) is Sym else None
    return ([], []) if asked is None else ([(asked, True)], [(asked, False)])


def refinements(frame: Frame, test: ast.expr, outcome: bool) -> Refinements:
    """The names and paths that are known better once `test` came out as `outcome`."""
    kind = test.__class__
    if kind is ast.UnaryOp and test.op.__class__ is ast.Not:  # type: ignore[attr-defined]
        return refinements(frame, test.operand, not outcome)  # type: ignore[attr-defined]
    if kind is ast.BoolOp:
        is_and = test.op.__class__ is ast.And  # type: ignore[attr-defined]
        if is_and is outcome:
            changes: dict[str | Path, Value] = {}
            for operand in test.values:  # type: ignore[attr-defined]
                changes.update(refinements(frame, operand, outcome))  # pyright: ignore[reportUnknownArgumentType]
            return changes
        return {}
    if kind is ast.NamedExpr:
        return refinements(frame, test.target, outcome)  # type: ignore[attr-defined]
    if kind is ast.Name or kind is ast.Attribute:
        return _narrow(frame, test, _truthy if outcome else _falsy)
    if kind is ast.Compare:
        return _compare_refinements(frame, test, outcome)  # type: ignore[arg-type]
    if kind is ast.Call:
        return _call_refinements(frame, test, outcome)  # type: ignore[arg-type]
    return {}


def _compare_refinements(frame: Frame, test: ast.Compare, outcome: bool) -> Refinements:
    if len(test.ops) != 1:
        return {}
    operator = test.ops[0].__class__
    left, right = test.left, test.comparators[0]
    if operator in _MIRRORED and (left.__class__ is ast.Constant or _number(left) is not None):
        operator, left, right = _MIRRORED[operator], right, left
    positive = operator in (ast.Is, ast.Eq)
    if operator in (ast.Is, ast.IsNot, ast.Eq, ast.NotEq) and right.__class__ is ast.Constant:
        if right.value is None:  # type: ignore[attr-defined]
            return _narrow(frame, left, _only_none if positive is outcome else without_none)
        bound = right.value  # type: ignore[attr-defined]
        if positive is outcome and isinstance(bound, (int, float)) and not isinstance(bound, bool):
            return _narrow(frame, left, lambda value: _bounded(value, ast.Eq, bound))
        if positive is outcome and isinstance(right.value, (str, bool)):  # type: ignore[attr-defined]
            constant = Const(right.value)  # type: ignore[attr-defined]
            return _narrow(frame, left, lambda value: constant if type(value) is Static else value)
    number = _number(right)
    if number is not None and operator in _NEGATED:
        compared = operator if outcome else _NEGATED[operator]
        return _narrow(frame, left, lambda value: _bounded(value, compared, number))
    return {}


_NEGATED = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}


# `3 < n` says what `n > 3` says, `None is x` what `x is None` does.
_MIRRORED = {**MIRRORED, **{kind: kind for kind in (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)}}


def _number(node: ast.expr) -> float | None:
    if node.__class__ is ast.UnaryOp and node.op.__class__ is ast.USub:  # type: ignore[attr-defined]
        inner = _number(node.operand)  # type: ignore[attr-defined]
        return None if inner is None else -inner
    if node.__class__ is ast.Constant and type(node.value) in (int, float):  # type: ignore[attr-defined]
        return node.value  # type: ignore[attr-defined]
    return None


def _bounded(value: Value, operator: type, bound: float) -> Value:
    """A symbol in the range that a comparison with a constant leaves of it."""
    if type(value) is not Sym or value.type not in ("int", "number"):
        return value
    low, high = value.low, value.high
    if operator in (ast.Gt, ast.GtE, ast.Eq):
        new = math.floor(bound) + 1 if operator is ast.Gt else bound
        low = new if low is None else max(low, new)
    if operator in (ast.Lt, ast.LtE, ast.Eq):
        new = math.ceil(bound) - 1 if operator is ast.Lt else bound
        high = new if high is None else min(high, new)
    return value.changed(low=low, high=high)


def _call_refinements(frame: Frame, test: ast.Call, outcome: bool) -> Refinements:
    callee = test.func
    if not test.args:
        return {}
    if callee.__class__ is ast.Name:
        name: str = callee.id  # type: ignore[attr-defined]
        target = frame.lookup(name)  # pyright: ignore[reportUnknownArgumentType]
        if target is None and name == "isinstance" and len(test.args) == 2:
            classes = evaluate_quietly(frame, test.args[1])
            return _narrow(frame, test.args[0], lambda value: _by_class(frame, value, classes, outcome))
        if type(target) is Function and (guard := none_guard(target.info.node)) is not None:
            # exists(x): a function of the project that only says whether its argument is None
            return _narrow(frame, test.args[0], without_none if guard is outcome else _only_none)
    elif callee.__class__ is ast.Attribute and callee.attr == "is_tensor":  # type: ignore[attr-defined]
        return _narrow(
            frame, test.args[0], lambda value: _keep(value, lambda choice: (type(choice) is Tensor) is outcome)
        )
    return {}


def none_guard(node: ast.AST) -> bool | None:
    """Whether a function does nothing but `return x is not None` (True) or `return x is None` (False)."""
    if isinstance(node, ast.Lambda):
        value: ast.expr | None = node.body
    elif isinstance(node, ast.FunctionDef) and len(node.body) == 1 and isinstance(node.body[0], ast.Return):
        value = node.body[0].value
    else:
        return None
    if (
        isinstance(value, ast.Compare)
        and len(value.ops) == 1
        and isinstance(value.left, ast.Name)
        and node.args.args
        and value.left.id == node.args.args[0].arg
        and isinstance(value.comparators[0], ast.Constant)
        and value.comparators[0].value is None
        and isinstance(value.ops[0], (ast.Is, ast.IsNot))
    ):
        return isinstance(value.ops[0], ast.IsNot)
    return None


def evaluate_quietly(frame: Frame, node: ast.expr) -> Value:
    """The value of an expression that is evaluated a second time: no fact is told twice."""
    traced, frame.traced = frame.traced, False
    try:
        return evaluate(frame, node)
    finally:
        frame.traced = traced


def path_of(node: ast.expr) -> Path | None:
    """What a condition can narrow besides a name: `self.x`, a size, or an entry of a dict."""
    if isinstance(node, ast.Attribute):
        return AttributePath(node.value.id, node.attr) if isinstance(node.value, ast.Name) else None
    return size_path(node) or _entry_path(node)


def _entry_path(node: ast.AST) -> EntryPath | None:
    """`batch["mask"]` or `batch.get("mask")`."""
    owner = key = None
    if isinstance(node, ast.Subscript):
        owner, key = node.value, node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        owner, key = node.func.value, node.args[0] if len(node.args) == 1 and not node.keywords else None
    if isinstance(owner, ast.Name) and isinstance(key, ast.Constant) and isinstance(key.value, str):
        return EntryPath(owner.id, key.value)
    return None


def entry_as_narrowed(frame: Frame, node: ast.AST, value: Value) -> Value:
    """An entry that was read, as conditions said that it is: unless it is none of that any more, since something was
    written under another name of the dict."""
    path = _entry_path(node)
    known = None if path is None else frame.env.paths.get(path)
    if known is None:
        return value
    held = [choice.key() for choice in choices(value)]
    return known if all(choice.key() in held for choice in choices(known)) else value


def size_path(node: ast.AST) -> SizePath | None:
    """`x.shape[0]`, `x.size(0)`, `x.numel()` or `len(x)`: a size that a check can bound."""
    if isinstance(node, ast.Subscript):
        inner, key = node.value, node.slice
        if isinstance(inner, ast.Attribute) and inner.attr == "shape" and isinstance(inner.value, ast.Name):
            return _size_path(inner.value, key)
    elif isinstance(node, ast.Call):
        func = node.func
        if (
            isinstance(func, ast.Name)
            and func.id == "len"
            and len(node.args) == 1
            and isinstance(node.args[0], ast.Name)
        ):
            return SizePath(node.args[0].id, 0)
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
            if func.attr == "size" and len(node.args) == 1:
                return _size_path(func.value, node.args[0])
            if func.attr == "numel" and not node.args:
                return SizePath(func.value.id, None)
    return None


def _size_path(tensor: ast.Name, dimension: ast.expr) -> SizePath | None:
    number = dimension.value if isinstance(dimension, ast.Constant) else None
    return SizePath(tensor.id, number) if isinstance(number, int) else None


def _narrow(frame: Frame, node: ast.expr, change: Callable[[Value], Value]) -> Refinements:
    if isinstance(node, ast.NamedExpr):
        node = node.target
    if isinstance(node, ast.Name):
        what, old = node.id, frame.lookup(node.id)
    elif (what := path_of(node)) is None:
        return {}
    elif isinstance(what, EntryPath) or (old := frame.env.paths.get(what)) is None:
        old = evaluate_quietly(frame, node)
    if old is None:
        return {}
    new = change(old)
    return {} if new is old else {what: new}


def _keep(value: Value, wanted: Callable[[Value], bool]) -> Value:
    kept = [choice for choice in choices(value) if choice is TOP or wanted(choice)]
    return join_all(kept) if kept else value


def _only_none(value: Value) -> Value:
    return NONE if may_be_none(value) and not is_none(value) else value


def _truthy(value: Value) -> Value:
    if type(value) is Static and value.type == "bool":
        return Const(True)
    return _keep(value, lambda choice: not (type(choice) is Const and not choice.value))


def _falsy(value: Value) -> Value:
    if type(value) is Static and value.type == "bool":
        return Const(False)
    return _keep(value, lambda choice: not (isinstance(choice, _TRUE_OBJECTS) or (type(choice) is Const and bool(choice.value))))  # fmt: skip


_BUILTIN_CLASSES: dict[str, tuple[type, ...]] = {
    "builtins.list": (Sequence,),
    "builtins.tuple": (Sequence, Shape),
    "builtins.set": (Sequence,),
    "builtins.dict": (Mapping,),
    "collections.OrderedDict": (Mapping,),
    "torch.Size": (Shape,),
}


_PLAIN_CLASSES: Final = frozenset(
    f"builtins.{name}" for name in ("str", "int", "float", "bool", "list", "tuple", "dict", "set")
)
# The layers of torch that derive from another one under a public name.
_DERIVED: Final = {
    **dict.fromkeys(("RNN", "GRU", "LSTM"), "RNNBase"),
    **dict.fromkeys(("RNNCell", "GRUCell", "LSTMCell"), "RNNCellBase"),
    **{
        f"Lazy{name}": name
        for name in ("Linear", *(f"Conv{kind}{n}d" for kind in ("", "Transpose") for n in (1, 2, 3)))
    },
    **{f"ZeroPad{n}d": f"ConstantPad{n}d" for n in (1, 2, 3)},
    **dict.fromkeys(("UpsamplingNearest2d", "UpsamplingBilinear2d"), "Upsample"),
    "ReLU6": "Hardtanh",
    "NLLLoss2d": "NLLLoss",
}


def _derives(external: str, name: str) -> bool | None:
    """Whether a class that is not the project's is another one, or derives from it; None where that is not known."""
    if external == name or (name == "torch.nn.Module" and external.startswith("torch.nn.")):
        return True
    if external in ("builtins.object", "torch.nn.Module"):
        return False if name.startswith("torch.nn.") else None
    short, other = external.removeprefix("torch.nn."), name.removeprefix("torch.nn.")
    if not (short.isidentifier() and other.isidentifier()):
        return None
    return _DERIVED.get(short) == other


def class_names(classes: Value) -> set[str]:
    """The names of the classes of others that `isinstance` is given."""
    given = (classes.items or []) if type(classes) is Sequence else [classes]
    return {one.name for one in given if type(one) is External}


def is_instance(frame: Frame, value: Value, classes: Value) -> bool | None:
    """What `isinstance(value, classes)` says of one alternative; None where that is not known."""
    if type(classes) is Sequence:
        if type(value) is Sym and value.type == "int" and {"builtins.int", "torch.SymInt"} <= class_names(classes):
            return True
        answers = [is_instance(frame, value, c) for c in classes.items or [TOP]]
        return True if True in answers else (None if None in answers else False)
    if type(value) in (type(TOP), Union) or is_returned(value) or not isinstance(classes, (Class, External)):
        return None
    if type(classes) is Class:
        if type(value) is Instance:
            if value.cls is None:
                return None if value.external else False
            line = value.cls.mro(frame.run.project)
            if classes.info in line:
                return True
            return None if any(isinstance(c, str) and c.startswith("?") for c in line) else False
        return None if type(value) is Static and not value.type else False
    name = classes.name  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
    if type(value) is Tensor:
        if name in ("torch.Tensor", "torch.FloatTensor", "torch.LongTensor"):
            return True if name == "torch.Tensor" else None
        if name in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
            return value.origin == PARAMETER if value.origin != ANYWHERE else None
        if name == PACKED:
            # What a layer gives that was packed somewhere else is only supposed to be a tensor.
            return None if value.evidence is Evidence.DERIVED else False
        return False if name.startswith(("builtins.", "numpy.", "collections.")) else None  # pyright: ignore[reportUnknownMemberType]
    if name in ("torch.Tensor", "torch.nn.Parameter"):
        return None if type(value) is Static and not value.type else False
    if type(value) is Const or (type(value) is Static and value.type):
        own = type(value.value).__name__ if type(value) is Const else value.type  # type: ignore[attr-defined]
        if name.startswith("builtins."):  # pyright: ignore[reportUnknownMemberType]
            wanted = name.removeprefix("builtins.")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            return own == wanted or (own == "bool" and wanted == "int")  # pyright: ignore[reportUnknownVariableType]
        if name == own:
            return True
        # A text is one of the abstract collections, too, and a number one of the abstract numbers.
        return False if not name.startswith(("numbers.", "typing.", "collections.abc.")) else None  # pyright: ignore[reportUnknownMemberType]
    if type(value) is Sym:
        # torch makes isinstance(n, int) true for a SymInt only in strict mode; both answers are possible.
        return None if name in ("builtins.int", "builtins.float", "builtins.bool", "torch.SymInt") else False
    wanted_kinds = _BUILTIN_CLASSES.get(name)  # pyright: ignore[reportUnknownArgumentType]
    if wanted_kinds is not None:
        if type(value) is Sequence:
            return value.type == name.rpartition(".")[2]  # type: ignore[attr-defined]
        return None if type(value) in (Instance, Static) else type(value) in wanted_kinds
    if type(value) is Instance:
        if value.cls is None:
            return _derives(value.external, name)  # pyright: ignore[reportUnknownArgumentType]
        line = value.cls.mro(frame.run.project)
        if name in line:
            return True
        if all(_derives(base, name) is False for base in line if isinstance(base, str)):  # pyright: ignore[reportUnknownArgumentType]
            return False
        if name.startswith("builtins."):  # pyright: ignore[reportUnknownMemberType]
            return False
        return None
    library = type(value) is External and value.name.startswith("torch.")
    if type(value) is Function or library:
        return False if name in _PLAIN_CLASSES or name == "torch.nn.Module" else None
    if type(value) in (Sequence, Mapping, Shape) and name.startswith("builtins."):  # pyright: ignore[reportUnknownMemberType]
        return False
    return None


def _by_class(frame: Frame, value: Value, classes: Value, outcome: bool) -> Value:
    if is_unknown(value) or type(value) is Static:
        if not (outcome and type(classes) is External and classes.name == "torch.Tensor"):
            return value
        # What a constructor was given is no tensor, as a rule; where it is one, it was made before tracing.
        return Tensor(ANYWHERE, evidence=Evidence.ASSUMED, readable=True) if type(value) is Static else Tensor(ANYWHERE)
    if outcome and type(classes) is External and classes.name == PACKED:
        others = [choice for choice in choices(value) if type(choice) is not Tensor]
        value = join_all(others) if others else TOP
    return _keep(value, lambda choice: is_instance(frame, choice, classes) is not (not outcome))
