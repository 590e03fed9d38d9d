"""What statements do: assignment, control flow, definitions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from exportdb_rules.facts import ContainerWritten, GlobalWritten
from exportdb_rules.interpreter import ranks
from exportdb_rules.interpreter.attributes import write_attribute
from exportdb_rules.interpreter.autocast import AUTOCAST
from exportdb_rules.interpreter.demands import fit
from exportdb_rules.interpreter.devices import is_class_of_devices, on_cpu
from exportdb_rules.interpreter.dispatch import call_method, read_attribute
from exportdb_rules.interpreter.environment import AttributePath, Environment, merge, same
from exportdb_rules.interpreter.gradients import note_write
from exportdb_rules.interpreter.iteration import count_of, elements, elements_for_unpacking, unpack
from exportdb_rules.interpreter.machine import EXECUTE, Frame, Jump, evaluate, execute, record
from exportdb_rules.interpreter.membership import ask_for_hash
from exportdb_rules.interpreter.methods import entered_by
from exportdb_rules.interpreter.narrowing import (
    comparisons,
    condition,
    evaluate_quietly,
    narrow,
    path_of,
    plain_in_eval,
    training_test,
)
from exportdb_rules.interpreter.operators import binary
from exportdb_rules.interpreter.patterns import match
from exportdb_rules.interpreter.random_numbers import drawn_in, fill, use_drawn
from exportdb_rules.interpreter.subscripts import index_tensor
from exportdb_rules.interpreter.waiting import Idle
from exportdb_rules.lattice import Mapping, Sequence, choices, join, join_all
from exportdb_rules.project import Import, dotted
from exportdb_rules.values import (
    NONE,
    TOP,
    Class,
    Const,
    External,
    Function,
    Instance,
    Static,
    Tensor,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Callable

# A loop's body is run until nothing changes, but no more often than this.
MAX_ROUNDS = 4
# Loops over this many known elements (a ModuleList of blocks) are followed element by element.
MAX_UNROLLED = 4


def _on(*kinds: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def register(function: Callable[..., None]) -> Callable[..., None]:
        for kind in kinds:
            EXECUTE[kind] = function
        return function

    return register


@_on(ast.Expr)
def _expression(frame: Frame, node: ast.Expr) -> None:
    value = node.value
    if value.__class__ is ast.Constant:
        return
    if frame.traced or value.__class__ is not ast.Call or frame.function is None:
        evaluate(frame, value)
    else:
        _evaluate_idle(frame, Idle(value))  # type: ignore[arg-type]
    if isinstance(value, ast.Call) and value.args and dotted(value.func).endswith("torch._check"):
        # What is checked at run time is known from here on: export takes it into the range of the symbol.
        narrow(frame, value.args[0], True)
    elif isinstance(value, ast.Call) and value.args and dotted(value.func).endswith("torch._check_is_size"):
        checked = ast.Compare(value.args[0], [ast.GtE()], [ast.Constant(0)])
        narrow(frame, ast.fix_missing_locations(ast.copy_location(checked, value)), True)


def _evaluate_idle(frame: Frame, idle: Idle) -> Value:
    """Evaluate a call before tracing that may be postponed."""
    run = frame.run
    outer, run.idle = run.idle, idle
    try:
        return evaluate(frame, idle.node)
    finally:
        run.idle = outer


def _idle(frame: Frame, node: ast.Assign) -> Idle | None:
    """The call before tracing whose result an assignment puts on an object, and nowhere else."""
    target, value = node.targets[0], node.value
    if frame.traced or frame.function is None or len(node.targets) > 1:
        return None
    if not isinstance(target, ast.Attribute) or not isinstance(value, ast.Call):
        return None
    owner = evaluate(frame, target.value)
    if type(owner) is Instance:
        return Idle(value, owner, target)
    return Idle(value) if type(owner) is Static else None


@_on(ast.Assign)
def _assign(frame: Frame, node: ast.Assign) -> None:
    idle = _idle(frame, node)
    if _unpacks(node.targets[0]):
        frame.unpacked = node.value
        if frame.run.learns_ranks:
            ranks.unpacked_beside(frame, node.targets[0], node.value)
    value = evaluate(frame, node.value) if idle is None else _evaluate_idle(frame, idle)
    if idle is not None and idle.taken:
        _forget(frame, node.targets[0])
        return
    for target in node.targets:
        if isinstance(target, ast.Attribute) and converts(target, node.value):
            # Done again at each call, with the same result: that the write is lost changes nothing (measured).
            write_attribute(
                frame, target, evaluate(frame, target.value), target.attr, value, augmented=False, reported=False
            )
        else:
            assign(frame, target, value)


def _unpacks(target: ast.expr) -> bool:
    """Whether a target takes a fixed number of elements."""
    kind = target.__class__
    return (kind is ast.Tuple or kind is ast.List) and not any(isinstance(p, ast.Starred) for p in target.elts)  # type: ignore[attr-defined]


# Methods that give a tensor as it is where it is what they make of it already.
_CONVERSIONS = frozenset({"to", "cpu", "cuda", "float", "double", "half", "bfloat16", "type", "type_as", "detach"})
# Functions that give the same of what they made as of what they made it of.
_CONVERTERS = frozenset({"as_tensor", "tensor", "FloatTensor", "LongTensor"})


def converts(target: ast.expr, value: ast.expr) -> bool:
    """Whether `target = value` is `self.grid = self.grid.to(x.device)` or the like, also where there may be None to convert."""
    if isinstance(value, ast.IfExp) and _asks_for_none(value.test, target):
        return all(_is_nothing(arm) or converts(target, arm) for arm in (value.body, value.orelse))
    if isinstance(value, ast.ListComp) and len(value.generators) == 1:
        # `self.anchors = [anchor.to(x.device) for anchor in self.anchors]`
        over = value.generators[0]
        return dotted(over.iter) == dotted(target) != "" and not over.ifs and converts(over.target, value.elt)
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)):
        return False
    if value.func.attr in _CONVERSIONS:
        converted = value.func.value
    elif value.func.attr in _CONVERTERS and value.args:
        converted = value.args[0]
    else:
        return False
    return converts(target, converted) or (
        isinstance(converted, (ast.Attribute, ast.Name)) and dotted(converted) == dotted(target) != ""
    )


def _asks_for_none(test: ast.expr, target: ast.expr) -> bool:
    """Whether a condition compares `target` with None."""
    return isinstance(test, ast.Compare) and dotted(test.left) == dotted(target) and _is_nothing(test.comparators[0])


def _is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


@_on(ast.AnnAssign)
def _annotated(frame: Frame, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(frame, node.target, evaluate(frame, node.value))


@_on(ast.AugAssign)
def _augmented(frame: Frame, node: ast.AugAssign) -> None:
    target = node.target
    owner: Value = TOP
    if isinstance(target, ast.Name):
        old = frame.lookup(target.id) or TOP
    elif isinstance(target, ast.Attribute):
        owner = evaluate(frame, target.value)
        old = read_attribute(frame, target, owner, target.attr)
    else:
        old = evaluate(frame, target)
    value = evaluate(frame, node.value)
    result = binary(frame, node, node.op, old, value, inplace=True)
    for choice in choices(old):
        if type(choice) is Tensor:
            note_write(frame, target, choice, "augmented", [value])
        elif (
            type(choice) is Mapping or (type(choice) is Sequence and choice.type == "list")
        ) and choice.owner is not None:
            frame.emit(ContainerWritten(frame.site(node), choice, choice.owner, "+=", value))
    if isinstance(target, ast.Attribute):
        if _leaves(node.op, old, value):
            return
        _forget(frame, target)
        # `self.buffer += x` writes into the buffer, and export keeps that; the attribute is bound to the same tensor.
        write_attribute(frame, target, owner, target.attr, result, augmented=True)
    elif isinstance(target, ast.Subscript):
        _assign_item(frame, target, result, in_place=all(type(choice) is Tensor for choice in choices(old)))
    else:
        assign(frame, target, result)


# What leaves a number, or a flag, as it is.
_NEUTRAL: Final[dict[type[ast.operator], int]] = {
    ast.Add: 0,
    ast.Sub: 0,
    ast.Mult: 1,
    ast.BitOr: False,
    ast.BitAnd: True,
}


def _leaves(operator: ast.operator, old: Value, operand: Value) -> bool:
    """Whether an augmented assignment leaves a number or a flag what it was: `self.training |= False`, `self.steps += 0`."""
    neutral = _NEUTRAL.get(type(operator))
    kinds = ("bool",) if isinstance(neutral, bool) else ("int", "float")
    return (
        neutral is not None
        and type(operand) is Const
        and type(operand.value) is type(neutral)
        and operand.value == neutral
        and all(
            type(choice.value).__name__ in kinds
            if type(choice) is Const
            else type(choice) is Static and choice.type in kinds
            for choice in choices(old)
        )
    )


def assign(frame: Frame, target: ast.expr, value: Value) -> None:
    """Bind a target of an assignment, a loop, a `with` or a walrus."""
    kind = target.__class__
    if kind is ast.Name:
        name: str = target.id  # type: ignore[attr-defined]
        if frame.globals is not None and name in frame.globals:
            frame.emit(GlobalWritten(frame.site(target), name, value))  # pyright: ignore[reportUnknownArgumentType]
        if frame.nonlocals is not None and name in frame.nonlocals:
            _assign_outer(frame, target, name, value)  # pyright: ignore[reportUnknownArgumentType]
            return
        frame.env.bind(name, value)  # pyright: ignore[reportUnknownArgumentType]
        if frame.values is not None:
            record(frame.values, target, value)
    elif kind is ast.Attribute:
        owner = evaluate(frame, target.value)  # type: ignore[attr-defined]
        _forget(frame, target)
        write_attribute(frame, target, owner, target.attr, value, augmented=False)  # type: ignore[attr-defined]
    elif kind is ast.Subscript:
        _assign_item(frame, target, value)  # type: ignore[arg-type]
    elif kind is ast.Tuple or kind is ast.List:
        for part, element in zip(target.elts, unpack(frame, target, value), strict=True):  # type: ignore[attr-defined]
            assign(frame, part.value if isinstance(part, ast.Starred) else part, element)  # pyright: ignore[reportUnknownArgumentType]
    elif kind is ast.Starred:
        assign(frame, target.value, value)  # type: ignore[attr-defined]


def _assign_outer(frame: Frame, target: ast.expr, name: str, value: Value) -> None:
    """Bind a `nonlocal` name where it lives. Where the function around is traced too, nothing is lost by that."""
    outer = frame.outer
    while outer is not None:
        if name in outer.env:
            if frame.traced and not outer.traced:
                # The function around ran before tracing: the name is state that outlives the call.
                frame.emit(GlobalWritten(frame.site(target), name, value, "closure"))
            outer.env[name] = join(outer.env[name], value) if frame.depth else value
            return
        outer = outer.outer
    if frame.traced and frame.module.binds(name):
        # A method of a class that is local to a function: that function ran before tracing.
        frame.emit(GlobalWritten(frame.site(target), name, value, "closure"))
    frame.env[name] = value


def _forget(frame: Frame, target: ast.expr) -> None:
    """Forget what conditions said of an attribute that is bound anew."""
    path = path_of(target) if frame.env.paths else None
    if isinstance(path, AttributePath):
        frame.env.forget(path)


def _assign_item(frame: Frame, target: ast.Subscript, value: Value, *, in_place: bool = False) -> None:
    """`in_place`: what a list or dict is given is the tensor that it had there, after a write."""
    container = evaluate(frame, target.value)
    index = evaluate(frame, target.slice)
    site = frame.site(target)
    if isinstance(target.value, ast.Attribute) and target.value.attr in ("_modules", "_parameters"):
        for owner in choices(evaluate(frame, target.value.value)):
            if type(owner) is Instance:
                owner.open = True  # it has an attribute of that name, too
    for choice in choices(container):
        if type(choice) is Instance and choice.cls is None and choice.elements is not None:
            choice = choice.elements
        if type(choice) is Tensor:
            part = index_tensor(frame, target, choice, index)
            fit(frame, target, part, value)
            note_write(frame, target, choice, "item", [value], part)
            use_drawn(frame, target, value)
        elif type(choice) is Sequence:
            if choice.owner is not None and not in_place:
                frame.emit(ContainerWritten(site, choice, choice.owner, "item", value))
            if type(index) is Sequence and index.type == "slice":
                _assign_slice(frame, target, choice, index, value)
            elif choice.items is not None and type(index) is Const and isinstance(index.value, int) and not frame.depth:
                if -len(choice.items) <= index.value < len(choice.items):
                    choice.put(index.value, value)
            else:
                choice.widen(value)
        elif type(choice) is Mapping:
            if choice.owner is not None and not in_place:
                frame.emit(ContainerWritten(site, choice, choice.owner, "item", value))
            ask_for_hash(frame, target.slice, index)
            if type(index) is Const and isinstance(index.value, (str, int)):
                old = choice.items.get(index.value)
                choice.put(index.value, value if old is None or not frame.depth else join(old, value))
            else:
                choice.cover(value)
        elif type(choice) is Static and (drawn := drawn_in(value) or drawn_in(index)) is not None:
            fill(frame, target.value, drawn)
        elif type(choice) is Instance and choice.cls is not None:
            call_method(frame, target, choice, "__setitem__", [index, value])


def _assign_slice(frame: Frame, node: ast.AST, target: Sequence, index: Sequence, value: Value) -> None:
    """`sizes[1:] = [1] * 3`: the elements of what is given take the place of those that were there."""
    given = elements_for_unpacking(frame, node, value)
    bounds: list[Any] = [bound.value if type(bound) is Const else ... for bound in index.items or [TOP]]
    if not isinstance(given, list):
        target.widen(given)
    elif target.items is None or ... in bounds or frame.depth:
        target.widen(join_all(given) if given else TOP)
    else:
        items = [*target.items]
        try:
            items[slice(*bounds)] = given
        except (TypeError, ValueError):  # so it does in eager
            return
        target.replace(items)


@_on(ast.If)
def _if(frame: Frame, node: ast.If) -> None:
    known = condition(frame, node.test, "if", node)
    if known is True:
        narrow(frame, node.test, True)
        execute(frame, node.body)
        return
    if known is False:
        narrow(frame, node.test, False)
        execute(frame, node.orelse)
        return
    here = on_cpu(frame, node.test)
    before = frame.env
    frame.env = before.copy()
    frame.depth += 1
    (if_true, if_false), path = comparisons(frame, node.test), len(frame.path)
    frame.path += if_true
    narrow(frame, node.test, True)
    frame.training += (trained := training_test(node.test, True))
    frame.off += here is False
    execute(frame, node.body)
    frame.off -= here is False
    frame.training -= trained
    first, first_unreachable = frame.env, frame.unreachable
    frame.env, frame.unreachable = before, False
    frame.path[path:] = if_false
    narrow(frame, node.test, False)
    if node.orelse:
        frame.training += (otherwise := training_test(node.test, False))
        frame.off += here is True
        execute(frame, node.orelse)
        frame.off -= here is True
        frame.training -= otherwise
    frame.depth -= 1
    # What comes behind it is reached by the side that does not leave.
    frame.path[path:] = if_false if first_unreachable else if_true if frame.unreachable else []
    if frame.unreachable:
        if not first_unreachable:
            frame.env, frame.unreachable = first, False
    elif first_unreachable:
        # `if not self.training: return x` leaves the rest to training.
        frame.training += not frame.depth and training_test(node.test, False)
        frame.off += not frame.depth and here is True
        if frame.run.learns_ranks:
            ranks.compared(frame, node.test, False)
    else:
        if trained:
            values = [(name, plain_in_eval(frame.env.get(name, TOP), value)) for name, value in first.items()]
            first = Environment(values, first.paths)
        frame.env = merge(first, frame.env)


def _loop(frame: Frame, body: list[ast.stmt], orelse: list[ast.stmt], enter: Callable[[], None], after: Callable[[], None]) -> None:  # fmt: skip
    """Run a loop's body to a fixed point. `enter` binds its targets, `after` narrows by the failed condition."""
    frame.depth += 1
    exits: list[Environment] = []
    before, path = frame.env, len(frame.path)
    for _ in range(MAX_ROUNDS):
        del frame.path[path:]
        frame.env = before.copy()
        frame.loops.append([])
        enter()
        if not frame.unreachable:
            execute(frame, body)
        leaving = frame.loops.pop()
        for env, again in leaving:
            if again:
                frame.env = env if frame.unreachable else merge(frame.env, env)
                frame.unreachable = False
            else:
                exits.append(env)
        if frame.unreachable:
            frame.unreachable = False
            break
        merged = merge(before, frame.env)
        if same(before, merged):
            break
        before = merged
    del frame.path[path:]
    frame.env = before.copy()
    frame.depth -= 1
    after()
    if orelse:
        execute(frame, orelse)
    for env in exits:
        frame.env = env if frame.unreachable else merge(frame.env, env)
        frame.unreachable = False


@_on(ast.While)
def _while(frame: Frame, node: ast.While) -> None:
    known: list[bool | None] = [None]

    def enter() -> None:
        known[0] = condition(frame, node.test, "while", node)
        if known[0] is False:
            frame.unreachable = True
        else:
            narrow(frame, node.test, True)

    def after() -> None:
        if known[0] is True:
            frame.unreachable = True  # only a break leaves `while True`
        else:
            narrow(frame, node.test, False)

    _loop(frame, node.body, node.orelse, enter, after)


@_on(ast.For)
def _for(frame: Frame, node: ast.For) -> None:
    iterable = evaluate(frame, node.iter)
    known = elements(frame, node.iter, iterable)
    if isinstance(known, list) and len(known) <= MAX_UNROLLED and not _has_jump(node.body):
        for value in known:
            assign(frame, node.target, value)
            execute(frame, node.body)
            if frame.unreachable:
                return
        execute(frame, node.orelse)
        return
    if isinstance(known, list):
        if not known:
            execute(frame, node.orelse)
            return
        element = join_all(known)
    else:
        element = known
    filled = _filled(frame, node.body)
    _loop(frame, node.body, node.orelse, lambda: assign(frame, node.target, element), lambda: None)
    count = count_of(frame, iterable)
    for name in filled if count is not None else ():
        value = frame.env.get(name)
        if type(value) is Sequence and value.items is None:
            value.count = count


def _filled(frame: Frame, body: list[ast.stmt]) -> list[str]:
    """The lists that are empty before a loop, and that each iteration adds one element to."""
    appends = [
        statement.value.func.value.id
        for statement in body
        if isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Attribute)
        and statement.value.func.attr == "append"
        and isinstance(statement.value.func.value, ast.Name)
    ]
    if not appends or _has_jump(body):
        return []
    named = [node.id for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return [
        name
        for name in appends
        if named.count(name) == 1 and type(value := frame.env.get(name)) is Sequence and value.items == []
    ]


def _has_jump(body: list[ast.stmt]) -> bool:
    """Whether a `break` or `continue` stands somewhere in the body of a loop."""
    for node in body:
        if isinstance(node, (ast.Break, ast.Continue)):
            return True
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(node, field, None)
            if inner and not isinstance(node, (ast.FunctionDef, ast.ClassDef)) and _has_jump(inner):
                return True
        for handler in getattr(node, "handlers", ()):
            if _has_jump(handler.body):
                return True
    return False


@_on(ast.Break)
def _break(frame: Frame, node: ast.Break) -> None:
    if frame.loops:
        frame.loops[-1].append(Jump(frame.env, again=False))
    frame.unreachable = True


@_on(ast.Continue)
def _continue(frame: Frame, node: ast.Continue) -> None:
    if frame.loops:
        frame.loops[-1].append(Jump(frame.env, again=True))
    frame.unreachable = True


@_on(ast.Return)
def _return(frame: Frame, node: ast.Return) -> None:
    value = NONE if node.value is None else evaluate(frame, node.value)
    if frame.unreachable:
        return  # what was called raises
    frame.returns = value if frame.returns is None else join(frame.returns, value)
    frame.unreachable = True


@_on(ast.Raise)
def _raise(frame: Frame, node: ast.Raise) -> None:
    # The message is made on the way out: what its f-string does to a tensor matters to nobody who traces the program.
    frame.unreachable = True


@_on(ast.Assert)
def _assert(frame: Frame, node: ast.Assert) -> None:
    if condition(frame, node.test, "assert", node) is False:
        frame.unreachable = True
        return
    narrow(frame, node.test, True)


@_on(ast.With, ast.AsyncWith)
def _with(frame: Frame, node: ast.With) -> None:
    managers: list[Instance] = []
    lowered = 0
    for item in node.items:
        value = evaluate(frame, item.context_expr)
        lowered += any(type(choice) is Instance and choice.external == AUTOCAST[0] for choice in choices(value))
        if isinstance(item.context_expr, ast.Call) and is_class_of_devices(frame, item.context_expr.func):
            frame.emit_call(item.context_expr, "torch.device.__enter__")
        if type(value) is Instance and value.external.startswith(("threading.", "multiprocessing.")):
            frame.emit_call(item.context_expr, "threading.Lock.__enter__")
        if type(value) is Instance and value.cls is not None:
            managers.append(value)
            if value.maker is None:
                frame.emit_call(item.context_expr, "object.__enter__", [value])
        entered = entered_by(frame, node, value)
        if item.optional_vars is not None:
            assign(frame, item.optional_vars, entered)
    quiet = any(_no_grad(frame, item.context_expr) for item in node.items)
    frame.run.no_grad += quiet
    frame.run.autocast += lowered
    execute(frame, node.body)
    frame.run.no_grad -= quiet
    frame.run.autocast -= lowered
    for manager in reversed(managers):
        call_method(frame, node, manager, "__exit__", [NONE, NONE, NONE])


def _no_grad(frame: Frame, context: ast.expr) -> bool:
    """Whether a context switches gradients off."""
    name = dotted(context.func) if isinstance(context, ast.Call) else ""
    if not isinstance(context, ast.Call) or not name.endswith(("no_grad", "inference_mode", "set_grad_enabled")):
        return False
    known = evaluate_quietly(frame, context.func)
    if type(known) is not External or known.name.rpartition(".")[0] not in ("torch", "torch.autograd"):
        return False
    given = context.args[0] if context.args else None
    if known.name.endswith("set_grad_enabled"):
        return isinstance(given, ast.Constant) and given.value is False
    return given is None or (isinstance(given, ast.Constant) and given.value is True)


@_on(ast.Try)
def _try(frame: Frame, node: ast.Try) -> None:
    before = frame.env.copy()
    execute(frame, node.body)
    if not frame.unreachable and node.orelse:
        execute(frame, node.orelse)
    after, after_unreachable = frame.env, frame.unreachable
    # A handler may be entered from anywhere in the body: from before it, and from behind it.
    start = merge(before, after)
    for handler in node.handlers:
        frame.env, frame.unreachable = start.copy(), False
        frame.depth += 1
        if handler.name is not None:
            frame.env.bind(handler.name, TOP)
        execute(frame, handler.body)
        frame.depth -= 1
        if not frame.unreachable:
            after = frame.env if after_unreachable else merge(after, frame.env)
            after_unreachable = False
    frame.env, frame.unreachable = after, after_unreachable
    if node.finalbody:
        frame.unreachable = False
        execute(frame, node.finalbody)
        frame.unreachable = frame.unreachable or after_unreachable


if hasattr(ast, "TryStar"):
    EXECUTE[ast.TryStar] = _try  # Python 3.11  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


@_on(ast.FunctionDef, ast.AsyncFunctionDef)
def _function(frame: Frame, node: ast.FunctionDef) -> None:
    info = frame.run.nested_function(frame, node)
    # Decorators are taken for wrappers that leave the function what it was, as nearly all of them do.
    for decorator in node.decorator_list:
        evaluate(frame, decorator)
    value = Function(info, closure=frame)
    frame.env.bind(node.name, value)


@_on(ast.ClassDef)
def _class(frame: Frame, node: ast.ClassDef) -> None:
    if frame.traced:
        # The fact is about the name: the body of the class may be long.
        start = node.col_offset + len("class ")
        name = ast.Name(node.name, ast.Store(), lineno=node.lineno, col_offset=start, end_lineno=node.lineno,
                        end_col_offset=start + len(node.name.encode()))  # fmt: skip
        frame.emit_call(name, "class")
    frame.env.bind(node.name, Class(frame.run.nested_class(frame, node)))


@_on(ast.Global, ast.Nonlocal)
def _global(frame: Frame, node: ast.Global | ast.Nonlocal) -> None:
    if isinstance(node, ast.Nonlocal):
        frame.nonlocals = (frame.nonlocals or frozenset()) | frozenset(node.names)
        return
    if frame.globals is None:
        frame.globals = set()
    frame.globals.update(node.names)


@_on(ast.Import, ast.ImportFrom)
def _import(frame: Frame, node: ast.Import | ast.ImportFrom) -> None:
    for alias in node.names:
        if isinstance(node, ast.Import):
            name = alias.asname or alias.name.partition(".")[0]
            item = Import(alias.name if alias.asname else name, None)
        else:
            name = alias.asname or alias.name
            item = Import(frame.module.absolute_import(node), alias.name)
        frame.env.bind(name, frame.run.imported(frame.module, item))


@_on(ast.Delete)
def _delete(frame: Frame, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            frame.env.unbind(target.id)
        elif isinstance(target, ast.Subscript):
            _delete_item(frame, target)


def _delete_item(frame: Frame, target: ast.Subscript) -> None:
    """`del container[index]`."""
    container = evaluate(frame, target.value)
    index = evaluate(frame, target.slice)
    for choice in choices(container):
        if not isinstance(choice, (Sequence, Mapping)):
            continue
        if choice.owner is not None:
            frame.emit(ContainerWritten(frame.site(target), choice, choice.owner, "del", NONE))
        if isinstance(choice, Sequence):
            choice.widen(choice.any())
        elif type(index) is Const and not frame.depth:
            choice.items.pop(index.value, None)


_on(ast.Match)(match)
