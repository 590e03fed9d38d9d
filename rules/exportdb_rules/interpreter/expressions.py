"""What expressions evaluate to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import AttributeRead
from exportdb_rules.interpreter.attributes import (
    AUTOGRAD_FUNCTION,
    METHOD_OF_CLASS,
    OF_METADATA,
    bound_method,
    class_method,
    read_behind_data,
)
from exportdb_rules.interpreter.calls import call_module_itself
from exportdb_rules.interpreter.construct import external_init
from exportdb_rules.interpreter.devices import on_cpu
from exportdb_rules.interpreter.dispatch import call, read_attribute
from exportdb_rules.interpreter.environment import Environment, Narrowed, merge
from exportdb_rules.interpreter.formatting import format_value, printed_form, text_of
from exportdb_rules.interpreter.iteration import count_of, dimension, elements, elements_for_unpacking
from exportdb_rules.interpreter.machine import EVALUATE, Frame, evaluate
from exportdb_rules.interpreter.membership import ask_for_hash
from exportdb_rules.interpreter.modules import GIVING_THEMSELVES, given_itself
from exportdb_rules.interpreter.narrowing import (
    by_default,
    comparisons,
    condition,
    entry_as_narrowed,
    in_training,
    narrow,
    path_of,
    plain_in_eval,
    size_path,
    training_test,
    truth,
    undecided,
)
from exportdb_rules.interpreter.operators import binary, compare, unary
from exportdb_rules.interpreter.statements import assign
from exportdb_rules.interpreter.subscripts import item_of
from exportdb_rules.lattice import Mapping, Sequence, join, join_all
from exportdb_rules.values import (
    FALSE,
    NONE,
    STATIC,
    STATIC_BOOL,
    TOP,
    TRUE,
    Class,
    Const,
    External,
    Function,
    Instance,
    Static,
    Sym,
    Tensor,
    Union,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def _on(*kinds: type) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    def register(function: Callable[..., Value]) -> Callable[..., Value]:
        for kind in kinds:
            EVALUATE[kind] = function
        return function

    return register


@_on(ast.Constant)
def _constant(frame: Frame, node: ast.Constant) -> Value:
    value = node.value
    if value is None:
        return NONE
    if value is True:
        return TRUE
    if value is False:
        return FALSE
    return STATIC if isinstance(value, complex) else Const(value)


@_on(ast.Name)
def _name(frame: Frame, node: ast.Name) -> Value:
    name = node.id
    value = frame.env.get(name)
    if value is not None:
        return value
    value = frame.lookup(name)
    return External(f"builtins.{name}") if value is None else value


@_on(ast.Attribute)
def _attribute(frame: Frame, node: ast.Attribute) -> Value:
    paths = frame.env.paths
    if paths and (path := path_of(node)) is not None and (narrowed := paths.get(path)) is not None:
        return narrowed
    if node.attr in OF_METADATA and node.value.__class__ is ast.Attribute and node.value.attr == "data":  # type: ignore[attr-defined]
        return read_behind_data(frame, node, node.value, evaluate(frame, node.value.value))  # type: ignore[arg-type]
    if node.attr in ("dtype", "device") and node.value.__class__ is ast.Attribute:
        # What `self.weight.dtype` tells of what another call left there is the same in each.
        read, reads = {*frame.run.read}, {*frame.summary.reads}
        owner = evaluate(frame, node.value)
        frame.run.read, frame.summary.reads = read, reads
        return read_attribute(frame, node, owner, node.attr)
    return read_attribute(frame, node, evaluate(frame, node.value), node.attr)


@_on(ast.BinOp)
def _binary(frame: Frame, node: ast.BinOp) -> Value:
    frame.consume_fuel()
    return binary(frame, node, node.op, evaluate(frame, node.left), evaluate(frame, node.right))


@_on(ast.UnaryOp)
def _unary(frame: Frame, node: ast.UnaryOp) -> Value:
    if node.op.__class__ is ast.Not:
        answer = condition(frame, node.operand, "not", node)
        return STATIC_BOOL if answer is None else (FALSE if answer else TRUE)
    return unary(frame, node, evaluate(frame, node.operand))


@_on(ast.BoolOp)
def _bool_op(frame: Frame, node: ast.BoolOp) -> Value:
    """`a and b` as a value: every operand but the last is asked for its truth."""
    is_and = node.op.__class__ is ast.And
    form = "and" if is_and else "or"
    results: list[Value] = []
    saved: list[Narrowed] = []
    training, depth, off = frame.training, frame.depth, frame.off
    for operand in node.values[:-1]:
        value = evaluate(frame, operand)
        answer = truth(frame, operand, value, form, node)
        if answer is (not is_and):
            results.append(value)
            break
        if answer is None:
            results.append(_deciding(value, not is_and))
        saved.append(undecided(frame, operand, answer, is_and=is_and))
    else:
        last = evaluate(frame, node.values[-1])
        results.append(in_training(last) if frame.training else last)
    frame.training, frame.depth, frame.off = training, depth, off
    for before in reversed(saved):
        frame.env.widen(before)
    return join_all(results)


def _deciding(value: Value, outcome: bool) -> Value:
    """What is left of an operand that decides: `x or y` yields x only where x is true."""
    if type(value) is Union:
        kept = [c for c in value.choices if not (type(c) is Const and bool(c.value) is not outcome)]
        return join_all(kept) if kept else value
    if type(value) is Static and value.type == "bool":
        return Const(outcome)
    return value


@_on(ast.Compare)
def _compare(frame: Frame, node: ast.Compare) -> Value:
    left = evaluate(frame, node.left)
    result: Value | None = None
    last = len(node.ops) - 1
    for i, (op, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = evaluate(frame, right_node)
        answer = compare(frame, node, op, left, right)
        if i < last:
            # a < b < c is (a < b) and (b < c): the first answer is asked for its truth
            known = truth(frame, node, answer, "chain", node)
            if known is False:
                return FALSE
        result = answer if result is None or i == last else join(result, answer)
        left = right
    assert result is not None
    return result


@_on(ast.IfExp)
def _ternary(frame: Frame, node: ast.IfExp) -> Value:
    known = condition(frame, node.test, "ternary", node)
    if known is not None:
        before = frame.env
        frame.env = before.copy()
        narrow(frame, node.test, known)
        value = evaluate(frame, node.body if known else node.orelse)
        frame.env = before
        return value
    usual = by_default(frame, node.test)
    usual = on_cpu(frame, node.test) if usual is None else usual
    before = frame.env
    frame.depth += 1
    frame.env = before.copy()
    (if_true, if_false), path = comparisons(frame, node.test), len(frame.path)
    frame.path += if_true
    narrow(frame, node.test, True)
    frame.training += (trained := training_test(node.test, True))
    frame.off += usual is False
    first = evaluate(frame, node.body)
    frame.off -= usual is False
    frame.training -= trained
    frame.env = before.copy()
    frame.path[path:] = if_false
    narrow(frame, node.test, False)
    frame.training += (otherwise := training_test(node.test, False))
    frame.off += usual is True
    second = evaluate(frame, node.orelse)
    frame.off -= usual is True
    frame.training -= otherwise
    del frame.path[path:]
    frame.env = before
    frame.depth -= 1
    if trained:
        first = plain_in_eval(second, first)
    elif otherwise:
        second = plain_in_eval(first, second)
    return join(first, second)


@_on(ast.Call)
def _call(frame: Frame, node: ast.Call) -> Value:
    frame.consume_fuel()
    paths = frame.env.paths
    if paths and (path := size_path(node)) is not None and (known := paths.get(path)) is not None:
        return known
    func = node.func
    if func.__class__ is ast.Name and func.id == "super" and "super" not in frame.env:  # type: ignore[attr-defined]
        return External("super()")
    if (
        func.__class__ is ast.Attribute
        and func.value.__class__ is ast.Call  # type: ignore[attr-defined]
        and func.value.func.__class__ is ast.Name  # type: ignore[attr-defined]
        and func.value.func.id == "super"  # type: ignore[attr-defined]
    ):
        return _super_call(frame, node, func.attr)  # type: ignore[attr-defined]
    if func.__class__ is ast.Attribute and func.attr == "type":  # type: ignore[attr-defined]
        callee = _type_method(frame, node, func)  # type: ignore[arg-type]
    else:
        callee = evaluate(frame, func)
    args, keywords = arguments(frame, node)
    result = call(frame, node, callee, args, keywords)
    return entry_as_narrowed(frame, node, result) if paths else result


def _type_method(frame: Frame, node: ast.Call, func: ast.Attribute) -> Value:
    """The method of `x.type()`; of `x.data.type()` without an argument, which would convert, it reads no number of the tensor."""
    data = func.value
    if node.args or node.keywords or not isinstance(data, ast.Attribute) or data.attr != "data":
        return evaluate(frame, func)
    return read_behind_data(frame, func, data, evaluate(frame, data.value))


# Functions and methods that take no more of a tensor that they are given than its metadata: `len(x.data)`, `y.to(x.data)`; and
# those that keep it for that in a graph of non-strict export (cases `data_asked_ok`, `data_type_as`).
_READING_METADATA: Final = frozenset({"len", "type", "isinstance", ".to"})
_KEEPING_METADATA: Final = frozenset({".type_as", ".expand_as", ".view_as", ".reshape_as"})


def _name_of_call(node: ast.Call) -> str:
    func = node.func
    if func.__class__ is ast.Name:
        return func.id  # type: ignore[attr-defined]
    return f".{func.attr}" if func.__class__ is ast.Attribute else ""  # type: ignore[attr-defined]


def _evaluate_metadata(frame: Frame, node: ast.expr) -> Value:
    """The value of an expression of which the metadata are asked: `x.data` is as good as `x` then."""
    if node.__class__ is not ast.Attribute or node.attr != "data":  # type: ignore[attr-defined]
        return evaluate(frame, node)
    owner = evaluate(frame, node.value)  # type: ignore[attr-defined]
    return owner if type(owner) is Tensor else read_attribute(frame, node, owner, "data")


def _keep_metadata(frame: Frame, node: ast.expr) -> Value:
    """The same where non-strict export keeps `x.data` in the graph."""
    owner = _evaluate_metadata(frame, node)
    if type(owner) is Tensor and isinstance(node, ast.Attribute) and node.attr == "data":
        frame.emit(AttributeRead(frame.site(node), "data.as", owner))
    return owner


def arguments(frame: Frame, node: ast.Call) -> tuple[list[Value], dict[str, Value]]:
    """The values of a call's arguments.

    `**` of unknown keys stands under the key `**`, and what a `*` of unknown length gives under the key `*`, besides one
    positional argument.
    """
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    name = _name_of_call(node)
    read = (
        _evaluate_metadata if name in _READING_METADATA else _keep_metadata if name in _KEEPING_METADATA else evaluate
    )
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            known = elements_for_unpacking(frame, arg, evaluate(frame, arg.value))
            if isinstance(known, list):
                args.extend(known)
            else:
                args.append(known)
                keywords["*"] = join(keywords["*"], known) if "*" in keywords else known
        else:
            args.append(read(frame, arg))
    for keyword in node.keywords:
        value = evaluate(frame, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        elif type(value) is Mapping and value.element is None:
            keywords.update({k: v for k, v in value.items.items() if isinstance(k, str)})
        else:
            keywords["**"] = value.any() if type(value) is Mapping else TOP
    return args, keywords


def _super_call(frame: Frame, node: ast.Call, name: str) -> Value:
    """`super().name(…)`: the next class in the line of the receiver that has the method, or torch's own. `super(Base, self)`
    begins behind another class than that of the method."""
    args, keywords = arguments(frame, node)
    owner: Frame | None = frame
    while owner is not None and owner.cls is None:
        owner = owner.outer
    if owner is None or owner.self_value is None:
        return TOP
    receiver = owner.self_value
    cls = receiver.info if type(receiver) is Class else receiver.cls if isinstance(receiver, Instance) else None
    if cls is None or owner.cls is None:
        return TOP
    assert isinstance(node.func, ast.Attribute)
    given = node.func.value.args if isinstance(node.func.value, ast.Call) else []
    named = evaluate(frame, given[0]) if given else TOP
    after = named.info if type(named) is Class else owner.cls
    method = cls.find(name, frame.run.project, after=after)
    if type(receiver) is Class:
        if AUTOGRAD_FUNCTION in cls.external_bases(frame.run.project):
            frame.emit_call(node, METHOD_OF_CLASS)
        return TOP if method is None else call(frame, node, class_method(receiver, method), args, keywords)
    assert isinstance(receiver, Instance)
    assert receiver.cls is not None
    if method is not None:
        return call(frame, node, bound_method(receiver, method), args, keywords)
    if name == "__init__":
        external_init(frame, node, receiver, args, keywords)
        return NONE
    if name == "forward":
        bases = receiver.cls.external_bases(frame.run.project)
        above = Instance(None, bases[0] if bases else "", identity=receiver.key())
        above.elements, above.given = receiver.elements, receiver.given
        return call(frame, node, above, args, keywords)
    if name == "__call__":
        return call_module_itself(frame, node, receiver, args, keywords)
    if name == "__getattribute__" and args and type(args[0]) is Const:
        return read_attribute(frame, node, receiver, str(args[0].value))
    if name == "__getattr__" and args and type(args[0]) is Const:
        held = receiver.attributes.get(str(args[0].value))
        frame.unreachable = frame.unreachable or (held is None and not receiver.open)  # torch raises AttributeError
        return TOP if held is None else held
    if name == "__setattr__":
        return call(frame, node, External("builtins.object.__setattr__"), [receiver, *args], keywords)
    if name not in GIVING_THEMSELVES or not receiver.cls.is_module(frame.run.project):
        return TOP
    return given_itself(frame, receiver, name, args)


@_on(ast.Subscript)
def _subscript(frame: Frame, node: ast.Subscript) -> Value:
    frame.consume_fuel()
    paths = frame.env.paths
    if paths and (path := size_path(node)) is not None and (known := paths.get(path)) is not None:
        return known
    container = evaluate(frame, node.value)
    index = evaluate(frame, node.slice)
    if type(container) is Union:
        return join_all(
            [item_of(frame, node, c, index) for c in container.choices if not (type(c) is Const and c.value is None)]
        )
    item = item_of(frame, node, container, index)
    return entry_as_narrowed(frame, node, item) if paths else item


@_on(ast.Slice)
def _slice(frame: Frame, node: ast.Slice) -> Value:
    parts = [NONE if p is None else evaluate(frame, p) for p in (node.lower, node.upper, node.step)]
    return Sequence("slice", parts, count=Const(1) if _takes_one(node) else None)


def _takes_one(node: ast.Slice) -> bool:
    """`t : t + 1`."""
    lower, upper = node.lower, node.upper
    if lower is None or node.step is not None or not isinstance(upper, ast.BinOp) or not isinstance(upper.op, ast.Add):
        return False
    more = upper.right
    return isinstance(more, ast.Constant) and more.value == 1 and ast.dump(upper.left) == ast.dump(lower)


@_on(ast.Tuple, ast.List, ast.Set)
def _display(frame: Frame, node: ast.Tuple | ast.List | ast.Set) -> Value:
    kind = {ast.Tuple: "tuple", ast.List: "list", ast.Set: "set"}[type(node)]
    items: list[Value] = []
    for part in node.elts:
        if part.__class__ is ast.Starred:
            known = elements_for_unpacking(frame, part, evaluate(frame, part.value))  # type: ignore[attr-defined]
            if not isinstance(known, list):
                return Sequence(kind, None, join_all([*items, known]), depth=frame.depth)
        else:
            known = [evaluate(frame, part)]
        for item in known if kind == "set" else ():
            ask_for_hash(frame, part, item)
        items.extend(known)
    return Sequence(kind, items, depth=frame.depth)


@_on(ast.Dict)
def _dict(frame: Frame, node: ast.Dict) -> Value:
    result = Mapping()
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = evaluate(frame, value_node)
        if key_node is None:
            if type(value) is Mapping:
                result.take(value)
            else:
                result.element = TOP
            continue
        key = evaluate(frame, key_node)
        ask_for_hash(frame, key_node, key)
        if type(key) is Const:
            result.put(key.value, value)
        else:
            result.cover(value)
    return result


@_on(ast.JoinedStr)
def _f_string(frame: Frame, node: ast.JoinedStr) -> Value:
    parts: list[Value] = []
    for part in node.values:
        parts.append(evaluate(frame, part))
        if isinstance(part, ast.FormattedValue) and part.format_spec is not None:
            evaluate(frame, part.format_spec)
    return text_of(parts)


@_on(ast.FormattedValue)
def _formatted(frame: Frame, node: ast.FormattedValue) -> Value:
    value = evaluate(frame, node.value)
    converted = node.conversion != -1
    format_value(frame, node.value, value, specified=node.format_spec is not None, converted=converted)
    plain = node.format_spec is None and not converted
    return Const(str(value.value)) if plain and type(value) is Const else printed_form(value)


@_on(ast.Lambda)
def _lambda(frame: Frame, node: ast.Lambda) -> Value:
    return Function(frame.run.nested_function(frame, node), closure=frame)


@_on(ast.NamedExpr)
def _walrus(frame: Frame, node: ast.NamedExpr) -> Value:
    value = evaluate(frame, node.value)
    assign(frame, node.target, value)
    return value


@_on(ast.Starred)
def _starred(frame: Frame, node: ast.Starred) -> Value:
    return evaluate(frame, node.value)


@_on(ast.Await)
def _await(frame: Frame, node: ast.Await) -> Value:
    evaluate(frame, node.value)
    return TOP


@_on(ast.Yield)
def _yield(frame: Frame, node: ast.Yield) -> Value:
    value = NONE if node.value is None else evaluate(frame, node.value)
    frame.yields = value if frame.yields is None else join(frame.yields, value)
    return TOP


@_on(ast.YieldFrom)
def _yield_from(frame: Frame, node: ast.YieldFrom) -> Value:
    found = elements(frame, node.value, evaluate(frame, node.value))
    value = join_all(found) if isinstance(found, list) else found
    frame.yields = value if frame.yields is None else join(frame.yields, value)
    return TOP


@_on(ast.ListComp, ast.SetComp, ast.GeneratorExp)
def _comprehension(frame: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
    kind = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "generator"}[type(node)]
    results: list[Value] = []
    certain = 0

    def produce(exact: bool) -> None:
        nonlocal certain
        results.append(evaluate(frame, node.elt))
        if kind == "set":
            ask_for_hash(frame, node.elt, results[-1])
        certain += exact

    loops = _generate(frame, node.generators, produce)
    if loops.exact:
        return Sequence(kind, results, depth=frame.depth)
    element = join_all(results) if results else None
    count = None if len(node.generators) > 1 or node.generators[0].ifs else loops.count
    return Sequence(
        kind, None, element, depth=frame.depth, length=loops.length, prefix=results[:certain] or None, count=count
    )


@_on(ast.DictComp)
def _dict_comprehension(frame: Frame, node: ast.DictComp) -> Value:
    keys: list[Value] = []
    values: list[Value] = []

    def produce(exact: bool) -> None:
        keys.append(evaluate(frame, node.key))
        ask_for_hash(frame, node.key, keys[-1])
        values.append(evaluate(frame, node.value))

    # `{value: key for key, value in table.items()}` takes no time, however many they are.
    plain = isinstance(node.key, ast.Name) and isinstance(node.value, ast.Name)
    plain = plain and len(node.generators) == 1 and not node.generators[0].ifs
    exact = _generate(frame, node.generators, produce, MAX_PLAIN if plain else MAX_ENUMERATED).exact
    if exact and all(type(k) is Const for k in keys):
        return Mapping({k.value: v for k, v in zip(keys, values, strict=True)})  # type: ignore[attr-defined]
    return Mapping({}, join_all(values) if values else None)


# The elements of an iterable that are looked at one by one, where they are computed, and where they only change places.
MAX_ENUMERATED = 6
MAX_PLAIN = 4096


def _generate(
    frame: Frame, generators: list[ast.comprehension], produce: Callable[[bool], None], most: int = MAX_ENUMERATED
) -> _Loops:
    """Run a comprehension's loops in a scope of their own.

    `produce` is told for each element whether that held up to it.
    """
    before = frame.env
    frame.env = before.copy()
    loops = _Loops(frame, generators, produce, most)
    loops.level(0)
    walrus = Environment((k, v) for k, v in frame.env.items() if before.get(k) is not v and not _targets(generators, k))
    frame.env = before
    if walrus:
        frame.env = merge(before, walrus)
    return loops


class _Loops:
    """The loops of one comprehension; see `_generate`. `exact`: every element was produced once, in order."""

    __slots__ = ("count", "exact", "frame", "generators", "length", "most", "produce")

    def __init__(
        self, frame: Frame, generators: list[ast.comprehension], produce: Callable[[bool], None], most: int
    ) -> None:
        self.frame = frame
        self.most = most
        self.generators = generators
        self.produce = produce
        self.exact = True
        self.length: Value | None = None
        self.count: Value | None = None

    def level(self, index: int) -> None:
        """Run the loops from one on."""
        if index == len(self.generators):
            self.produce(self.exact)
            return
        frame, generator = self.frame, self.generators[index]
        iterable = evaluate(frame, generator.iter)
        known = elements(frame, generator.iter, iterable)
        if isinstance(known, list) and len(known) <= self.most:
            for value in known:
                self._step(index, value)
            return
        self.exact = False
        if index == 0:
            self.count = count_of(frame, iterable)
            self.length = iterable.length if type(iterable) is Sequence else None
            if type(iterable) is Tensor:
                size = dimension(frame, iterable, 0)
                self.length = size if type(size) is Sym else None
        frame.depth += 1
        self._step(index, join_all(known) if isinstance(known, list) else known)
        frame.depth -= 1

    def _step(self, index: int, value: Value) -> None:
        frame, generator = self.frame, self.generators[index]
        assign(frame, generator.target, value)
        for test in generator.ifs:
            answer = condition(frame, test, "comprehension", test)
            if answer is False:
                return
            if answer is None:
                self.exact = False
            narrow(frame, test, True)
        self.level(index + 1)


def _targets(generators: list[ast.comprehension], name: str) -> bool:
    return any(_binds(generator.target, name) for generator in generators)


def _binds(target: ast.expr, name: str) -> bool:
    if isinstance(target, ast.Name):
        return target.id == name
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(target))
