"""Python's built-in functions, on values that may be tensors or symbols."""

from __future__ import annotations

import ast
import itertools
from math import isfinite
from typing import TYPE_CHECKING, Final, Literal

from exportdb_rules.facts import Converted, Iterated, NumpyAsked, TraceTimeUsed, TruthForm, TruthTested
from exportdb_rules.interpreter.dimensions import number_of, of_term, term_of
from exportdb_rules.interpreter.dispatch import call, call_method, escape, read_attribute
from exportdb_rules.interpreter.iteration import count_of, elements, item, lengths
from exportdb_rules.interpreter.membership import ask_for_hash
from exportdb_rules.interpreter.narrowing import truth
from exportdb_rules.interpreter.numpy_provenance import ask_kept, is_kept
from exportdb_rules.interpreter.operators import binary, compare, elementwise, take_for_number
from exportdb_rules.interpreter.readable import number_read
from exportdb_rules.interpreter.reflection import REFLECTION
from exportdb_rules.lattice import Mapping, Sequence, choices, is_none, join_all
from exportdb_rules.terms import Term, answered, extreme
from exportdb_rules.values import (
    FALSE,
    KEPT_FLOAT,
    KEPT_INT,
    NONE,
    NUMPY,
    NUMPY_ELEMENT,
    STATIC,
    STATIC_BOOL,
    STATIC_FLOAT,
    STATIC_INT,
    STATIC_STR,
    TOP,
    TRUE,
    UNTYPED_STORAGE,
    Const,
    Evidence,
    Instance,
    Method,
    Static,
    Sym,
    Tensor,
    TraceTime,
    Value,
    is_assumed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules.interpreter.machine import Frame

    Builtin = Callable[[Frame, ast.AST, list[Value], dict[str, Value]], Value]


def call_builtin(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`name(…)`, a built-in function."""
    handler = _TABLE.get(name)
    if handler is not None:
        return handler(frame, node, args, keywords)
    if name.endswith(("Error", "Exception", "Warning")):
        return TOP
    frame.emit_call(node, name, args, keywords)
    escape(args, keywords)
    return TOP


def converts(target: Literal["int", "float", "complex"], static: Value) -> Builtin:
    """int(), float() and the like: `static` is what a known number becomes."""

    def handler(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
        if not args:
            return static
        results: list[Value] = []
        ask_kept(frame, node, "use", args[0])
        for choice in choices(args[0]):
            if isinstance(node, ast.Call) and (number := number_read(frame, node, node.args[0], choice, target)):
                results.append(number)
            elif type(choice) is Tensor and not choice.constant:
                frame.emit(Converted(frame.site(node), target, choice))
                results.append(
                    Sym(target, backed=False, site=frame.site(node), evidence=max(Evidence.DERIVED, choice.evidence))
                    if frame.traced
                    else static
                )
            elif type(choice) is Sym:
                if target == "int" and choice.type == "bool" and not choice.backed:
                    take_for_number(frame, node, choice)
                else:
                    frame.emit(Converted(frame.site(node), target, choice))
                term = choice.term if target == "int" and choice.type == "float" else None  # a quotient is rounded down
                results.append(_converted_symbol(choice, target, term))
            elif type(choice) is TraceTime:
                results.append(TraceTime(choice.source, target, choice.site))
            elif (
                type(choice) is Const
                and target == "int"
                and isinstance(choice.value, (int, float))
                and abs(choice.value) < 1e18
            ) or (
                type(choice) is Const and isinstance(choice.value, str) and target == "int" and choice.value.isdigit()
            ):
                results.append(Const(int(choice.value)))
            elif type(choice) is Instance and choice.cls is not None:
                results.append(call_method(frame, node, choice, f"__{target}__", []))
            elif frame.traced and target != "complex" and is_kept(choice):
                results.append(KEPT_INT if target == "int" else KEPT_FLOAT)
            else:
                results.append(static)
        return join_all(results)

    return handler


def _converted_symbol(value: Sym, target: str, term: Term | None = None) -> Sym:
    return Sym(
        target, backed=value.backed, site=value.site, low=value.low, size=value.size, evidence=value.evidence, term=term
    )


def _bool(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if not args:
        return FALSE
    answer = truth(frame, node, args[0], "bool", node)
    if answer is None:
        for choice in choices(args[0]):
            if type(choice) is TraceTime:
                return choice
            if (type(choice) is Sym and not choice.backed) or (type(choice) is Tensor and not choice.constant):
                return Sym("bool", backed=False, site=frame.site(node), evidence=choice.evidence)
        return STATIC_BOOL
    return TRUE if answer else FALSE


def _len(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if not args:
        return TOP
    if type(args[0]) is Method and args[0].name == UNTYPED_STORAGE:
        frame.emit_call(node, "torch.UntypedStorage.__len__")
        return STATIC_INT
    result = lengths(frame, args[0])
    for choice in choices(result):
        if type(choice) is Sym:
            frame.emit(Converted(frame.site(node), "len", choice))
    return result


def _all_any(form: TruthForm) -> Builtin:
    def handler(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
        if not args:
            return STATIC_BOOL
        found = elements(frame, node, args[0])
        answers = [truth(frame, node, value, form, node) for value in (found if isinstance(found, list) else [found])]
        if not isinstance(found, list) or None in answers:
            return STATIC_BOOL
        return TRUE if (any if form == "any" else all)(answers) else FALSE

    return handler


def order_tested(frame: Frame, node: ast.AST, values: list[Value], form: TruthForm) -> None:
    """Values are put in order: each comparison is asked for its truth."""
    for value in values:
        for choice in choices(value):
            if type(choice) is Tensor and not choice.constant:
                frame.emit(TruthTested(frame.site(node), choice, form, node))
                return
            if type(choice) is Sym:
                frame.emit(TruthTested(frame.site(node), choice, form, node))
                return
            if type(choice) is Sequence:
                # A tuple is before another by the first items that differ: names and numbers, as a rule.
                order_tested(frame, node, choice.items[:1] if choice.items else [choice.any()], form)


def sort_tested(frame: Frame, node: ast.AST, element: Value, key: Value | None, form: TruthForm) -> None:
    """`sorted(…)` or `….sort()` of such elements: they, or what the key gives for them, are put in order.

    Strict export sorts by constants alone: a tuple with a tensor in it is none, also where the numbers or names before
    the tensor decide (torch/_dynamo/variables/lists.py, "sort with non-constant keys").
    """
    if key is not None and not is_none(key):
        element = call(frame, node, key, [element], {})
    order_tested(frame, node, [element], form)
    if any(_decided_before(choice) for choice in choices(element)):
        frame.emit_call(node, "sorted()", [element])


def _decided_before(value: Value) -> bool:
    """Whether a tuple begins with a plain value, which decides where it stands, and holds a tensor behind it."""
    if type(value) is not Sequence or not value.items:
        return False
    if any(type(choice) not in (Const, Static) for choice in choices(value.items[0])):
        return False
    return any(_is_tensor(choice) for item in value.items[1:] for choice in choices(item))


def look_for(frame: Frame, node: ast.AST, items: Iterable[Value], value: Value, *, every: bool) -> None:
    """`items.index(value)`, or `items.count(value)` of every item: each is asked whether it is equal, up to the first that is."""
    for held in items:
        if held is value and not every:
            return
        answer = compare(frame, node, ast.Eq(), held, value)
        seen = type(answer) is Sym and answer.asked is not None and answered(answer.asked, frame.run.dynamic.sizes)
        if (truth(frame, node, answer, "in", node) or seen) and not every:
            return


def extreme_size(form: Literal["max", "min"], sizes: list[Value]) -> Term | None:
    """The smallest or largest of sizes, as far as their terms and ranges say which it is."""
    found: Term | None = None
    for size in sizes:
        term = term_of(size)
        if term is None:
            return None
        found = term if found is None else extreme(form, found, term)
        if found is None:
            return None
    numbers = [number for size in sizes if (number := number_of(size)) is not None]
    lows = [size.low for size in sizes if type(size) is Sym and size.low is not None]
    if form == "min" and numbers and len(numbers) + len(lows) == len(sizes) and min(numbers) <= min(lows, default=0):
        return Term.number(min(numbers))
    return found


def one_of(symbols: list[Sym]) -> Sym:
    """A number that is one of several, of which nothing tells which."""
    loose = next((s for s in symbols if not s.backed), symbols[0])
    low = 0 if loose.size else None
    return Sym(loose.type, backed=loose.backed, site=loose.site, low=low, size=loose.size, evidence=loose.evidence)


def _compared_in_python(args: list[Value], values: list[Value], keywords: dict[str, Value]) -> TruthForm | None:
    """How `max` or `min` is called where Python's own is called, which compares; None where torch's stand-in traces it.

    That one takes two arguments or one list, and no keyword (torch/_export/non_strict_utils.py, `_tensor_min_max`).
    """
    if "default" in keywords and len(values) > 1:
        return "default"
    return "several" if len(args) > 2 else None


def _traced_with_keyword(
    frame: Frame, node: ast.AST, form: Literal["max", "min"], args: list[Value], values: list[Value]
) -> None:
    """`max` or `min` with a keyword: strict export computes it of constants alone, and traces no other call with one.

    An iterator is no constant, whatever it gives, nor is a view of a dict; a range is (torch/_dynamo/variables/builtin.py,
    `BuiltinVariable._make_handler`).
    """
    iterates = len(args) == 1 and type(args[0]) is Sequence and _iterates(args[0], node)
    if iterates or any(_is_tensor(choice) for value in values for choice in choices(value)):
        frame.emit_call(node, f"{form}()", args)


def _iterates(value: Sequence, node: ast.AST) -> bool:
    """Whether the elements that a builtin is given are an iterator or a view: by what they are, or by the call that gives them."""
    given = node.args[0] if isinstance(node, ast.Call) and node.args else None
    if not isinstance(given, ast.Call):
        return value.type in ("generator", "iterator")
    name = given.func.id if isinstance(given.func, ast.Name) else getattr(given.func, "attr", None)
    return value.type in ("generator", "iterator") or name in _ITERATORS


_ITERATORS: Final = frozenset(("enumerate", "zip", "map", "filter", "reversed", "items", "values", "keys"))


def _is_tensor(value: Value) -> bool:
    """Whether a value is a tensor of the graph, and not by convention alone."""
    return type(value) is Tensor and not value.constant and not is_assumed(value)


def _extreme(form: Literal["max", "min"]) -> Builtin:
    mixed: TruthForm = "max-mixed" if form == "max" else "min-mixed"
    of_floats: TruthForm = "max-float" if form == "max" else "min-float"

    def handler(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
        values = found = args
        if len(args) == 1:
            for choice in choices(args[0]):
                if type(choice) is Tensor:
                    # Non-strict export takes it for `torch.maximum`, which needs two.
                    frame.emit(TruthTested(frame.site(node), choice, "one", node))
                    return elementwise([choice], []).changed(rank=0, shape=("dims", ()), dims=())
            found = elements(frame, node, args[0])
            values = found if isinstance(found, list) else [found]
        key = keywords.get("key")
        if key is not None and values:
            ranked = call(frame, node, key, [join_all(values)], {})
            if not isinstance(found, list) or len(found) > 1:
                # Python itself compares what a key gives, also where it gives tensors.
                order_tested(frame, node, [ranked], "key")
            _traced_with_keyword(frame, node, form, args, values)
            return join_all(values)
        compared = _compared_in_python(args, values, keywords)
        flat = [c for v in values for c in choices(v)]
        tensors = [c for c in flat if type(c) is Tensor]
        symbols = [c for c in flat if type(c) is Sym]
        if "default" in keywords and (compared is None or not (tensors or symbols)):
            _traced_with_keyword(frame, node, form, args, values)
        if tensors:
            others = [c for c in flat if type(c) is not Tensor]
            if not all(t.constant for t in tensors):
                # builtin max of two 0-dim tensors is traced as torch.maximum, of a tensor and a plain number as clamp.
                if compared != "default" and any(type(c) is Sym for c in others):
                    compared = "tensor-item"
                asked = compared or (mixed if others else form)
                frame.emit(TruthTested(frame.site(node), tensors[0], asked, node))
            # It is one of them, as it was given: the number itself, where that is the larger.
            return join_all([elementwise(tensors, []), *others])
        if symbols:
            take_for_number(frame, node, *symbols)
            loose = next((s for s in symbols if not s.backed), symbols[0])
            if loose.backed:
                # Of unbacked ints torch makes a symbolic maximum, which asks nothing.
                frame.emit(TruthTested(frame.site(node), loose, form, node))
            elif compared is not None:
                frame.emit(TruthTested(frame.site(node), loose, compared, node))
            elif loose.type == "float" or any(type(c) is Const and isinstance(c.value, float) for c in flat):
                frame.emit(TruthTested(frame.site(node), loose, of_floats, node))
            if loose.backed and len(flat) == len(values) and (known_size := extreme_size(form, flat)) is not None:
                return of_term(known_size, loose)
            return one_of(symbols)
        known = [c.value for c in flat if type(c) is Const]
        if len(known) == len(flat) and known and all(isinstance(v, (int, float)) for v in known):
            return Const(max(known) if form == "max" else min(known))
        if any(type(c) is TraceTime for c in flat):
            return next(c for c in flat if type(c) is TraceTime)
        return STATIC if all(type(c) in (Const, Static) for c in flat) else TOP

    return handler


def _sorted(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if not args:
        return TOP
    found = elements(frame, node, args[0])
    element = join_all(found) if isinstance(found, list) else found
    key = keywords.get("key")
    if isinstance(found, list) and not keywords and all(type(c) is Const for c in found):
        try:
            return Sequence("list", [Const(value) for value in sorted(c.value for c in found)])  # type: ignore[union-attr]
        except TypeError:
            return TOP
    if key is None and isinstance(found, list) and len(found) > 1 and all(map(_is_size, found)):
        for before, after in itertools.pairwise(found):
            truth(frame, node, compare(frame, node, ast.Lt(), after, before), "sorted", node)
    else:
        sort_tested(frame, node, element, key, "sorted")
    return Sequence("list", None, element)


def _is_size(value: Value) -> bool:
    return type(value) is Sym and value.backed if term_of(value) is None else True


def _sum(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if not args:
        return TOP
    found = elements(frame, node, args[0])
    values = found if isinstance(found, list) else [found]
    flat = [c for v in values for c in choices(v)]
    tensors = [c for c in flat if type(c) is Tensor]
    if tensors:
        return elementwise(tensors, [])
    symbols = [c for c in flat if type(c) is Sym]
    if symbols:
        take_for_number(frame, node, *symbols)
        loose = next((s for s in symbols if not s.backed), symbols[0])
        return Sym(
            "int" if loose.type == "bool" else loose.type,
            backed=loose.backed,
            site=loose.site,
            low=loose.low,
            size=loose.size,
            evidence=loose.evidence,
        )
    if (
        isinstance(found, list)
        and len(args) == 1
        and all(type(c) is Const and isinstance(c.value, (int, float)) for c in found)
    ):
        return Const(sum(c.value for c in found))  # type: ignore[union-attr]
    return STATIC if all(type(c) in (Const, Static) for c in flat) else TOP


def _range(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if isinstance(node, ast.Call):
        args = [number_read(frame, at, at, a, "int") or a for at, a in zip(node.args, args, strict=False)]
    symbols: list[Tensor | Sym] = [c for a in args for c in choices(a) if type(c) in (Tensor, Sym)]  # type: ignore[misc]
    loose = [s for s in symbols if type(s) is Tensor or not s.backed]  # type: ignore[union-attr]
    if symbols:
        frozen = (s for s in symbols if type(s) is Sym and s.term is not None and s.term.leaves_one_size)
        chosen = loose[0] if loose else next(frozen, symbols[0])
        frame.emit(Iterated(frame.site(node), chosen, "range"))
        # Asking for the numbers fixed the bound: each of them is a plain int.
        return Sequence(
            "range", None, STATIC_INT, count=symbols[0] if len(args) == 1 and type(symbols[0]) is Sym else None
        )
    for value in args:
        if type(value) is TraceTime:
            # How often the loop is unrolled was drawn.
            frame.emit(TraceTimeUsed(frame.site(node), value, "branch"))
    if any(value is NUMPY or value is NUMPY_ELEMENT for value in args):
        frame.emit(NumpyAsked(frame.site(node), "range"))
    ask_kept(frame, node, "range", *args)
    known = [a.value for a in args if type(a) is Const and isinstance(a.value, int)]
    if len(known) == len(args) and args:
        try:
            numbers = range(*known)
        except (TypeError, ValueError):
            return TOP
        if not numbers[8:]:  # `len` refuses a range that is longer than an address
            return Sequence("range", [Const(n) for n in numbers])
    return Sequence("range", None, STATIC_INT)


def _enumerate(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    found = elements(frame, node, args[0]) if args else TOP
    if isinstance(found, list):
        start = args[1] if len(args) > 1 else keywords.get("start", Const(0))
        first = start.value if type(start) is Const and isinstance(start.value, int) else None
        counts = [STATIC_INT if first is None else Const(first + i) for i in range(len(found))]
        return Sequence("list", [Sequence("tuple", [n, v]) for n, v in zip(counts, found, strict=True)])
    return Sequence(
        "iterator", None, Sequence("tuple", [STATIC_INT, found]), count=count_of(frame, args[0]) if args else None
    )


def _zip(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    columns = [elements(frame, node, a) for a in args]
    if columns and all(isinstance(c, list) for c in columns):
        rows = zip(*columns, strict=False)
        return Sequence("list", [Sequence("tuple", list(row)) for row in rows])
    # Shorter columns end the loop: nothing is known of the number of rows unless all are.
    counts = [count_of(frame, a) for a in args]
    count = counts[0] if counts and all(c is not None and c.key() == counts[0].key() for c in counts) else None  # type: ignore[union-attr]
    rows = Sequence("tuple", [join_all(c) if isinstance(c, list) else c for c in columns])
    return Sequence("iterator", None, rows, count=count)


def _container(kind: str) -> Builtin:
    def handler(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
        if not args:
            return Sequence(kind, [], depth=frame.depth)
        if type(args[0]) is Sequence and type(args[0].length) in (Sym, Tensor):
            return Sequence(kind, None, args[0].element, depth=frame.depth, length=args[0].length)
        found = elements(frame, node, args[0])
        if kind == "set":
            ask_for_hash(frame, node, join_all(found) if isinstance(found, list) else found)
        if isinstance(found, list):
            return Sequence(kind, list(found), depth=frame.depth)
        prefix = args[0].prefix if type(args[0]) is Sequence and kind != "set" else None
        return Sequence(kind, None, found, depth=frame.depth, prefix=prefix)

    return handler


def _reversed(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    found = elements(frame, node, args[0]) if args else TOP
    return Sequence("list", found[::-1]) if isinstance(found, list) else Sequence("iterator", None, found)


def _map(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if not args:
        return TOP
    columns = [elements(frame, node, a) for a in args[1:]]
    if columns and all(isinstance(c, list) and len(c) <= 8 for c in columns):
        rows = list(zip(*columns, strict=False))
        return Sequence("generator", [call(frame, node, args[0], list(row), {}) for row in rows])
    row = [join_all(c) if isinstance(c, list) else c for c in columns]
    return Sequence("generator", None, call(frame, node, args[0], row, {}))


def _filter(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if len(args) != 2:
        return TOP
    found = elements(frame, node, args[1])
    element = join_all(found) if isinstance(found, list) else found
    answer = element if type(args[0]) is Const else call(frame, node, args[0], [element], {})
    truth(frame, node, answer, "filter", node)
    return Sequence("generator", None, element)


def _dict(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    result = Mapping({k: v for k, v in keywords.items() if k != "**"}, keywords.get("**"))
    if args:
        if type(args[0]) is Mapping:
            result.items = {**args[0].items, **result.items}
            result.element = args[0].element
        else:
            found = elements(frame, node, args[0])
            pairs = found if isinstance(found, list) else [found]
            for pair in pairs:
                if type(pair) is Sequence and pair.items is not None and len(pair.items) == 2:
                    key, value = pair.items
                    if type(key) is Const:
                        result.put(key.value, value)
                        continue
                    result.cover(value)
                else:
                    result.element = TOP
    return result


def _abs(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    results: list[Value] = []
    for choice in choices(args[0]) if args else ():
        if type(choice) is Tensor:
            results.append(elementwise([choice], []))
        elif type(choice) is Sym:
            take_for_number(frame, node, choice)
            results.append(Sym(choice.type, backed=choice.backed, site=choice.site, low=0, evidence=choice.evidence))
        else:
            results.append(
                choice if type(choice) in (Static, TraceTime) else (STATIC if type(choice) is Const else TOP)
            )
    return join_all(results)


def _round(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    results: list[Value] = []
    for choice in choices(args[0]) if args else ():
        if type(choice) is Tensor:
            results.append(elementwise([choice], []))
        elif type(choice) is Sym:
            frame.emit(Converted(frame.site(node), "round", choice))
            results.append(_converted_symbol(choice, "int"))
        else:
            plain = (
                type(choice) is Const
                and len(args) == 1
                and isinstance(choice.value, (int, float))
                and isfinite(choice.value)
            )
            results.append(Const(round(choice.value)) if plain else STATIC if type(choice) in (Static, Const) else TOP)  # type: ignore[union-attr]
    return join_all(results)


def _next(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if not args:
        return TOP
    if type(args[0]) is Instance and args[0].cls is not None:
        return call_method(frame, node, args[0], "__next__", [])
    return item(frame, args[0])


def _print(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    return NONE


def _input(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, "input", args, keywords)
    return STATIC_STR


def _divmod(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    parts = [c for a in args for c in choices(a)]
    symbol = next((c for c in parts if type(c) is Sym), None)
    if len(args) == len(parts) == 2 and all(type(c) is Const for c in parts):
        return Sequence("tuple", [binary(frame, node, op, *parts) for op in (ast.FloorDiv(), ast.Mod())])
    if symbol is not None:
        frame.emit(Converted(frame.site(node), "divmod", symbol))
    part: Value = (
        symbol if symbol is not None else (STATIC_INT if all(type(c) in (Const, Static) for c in parts) else TOP)
    )
    return Sequence("tuple", [part, part])


def _pow(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if any(type(choice) is Tensor for arg in args[:2] for choice in choices(arg)):
        frame.emit_call(node, "pow", args, keywords)
    return binary(frame, node, ast.Pow(), args[0], args[1]) if len(args) >= 2 else TOP


def _slice(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    parts = args if len(args) > 1 else [NONE, *args]
    return Sequence("slice", [*parts, NONE][:3])


def _passes(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    return args[0] if args else TOP


def _object(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, "object", args, keywords)
    return STATIC


def _open(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, "open", args, keywords)
    return TOP


def _evaluates(name: str) -> Builtin:
    def handler(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
        if name == "eval" and len(args) == 1 and type(args[0]) is Const and _names_nothing(args[0].value):
            return STATIC  # Dynamo computes it
        frame.emit_call(node, name, args, keywords)
        return TOP

    return handler


def _names_nothing(text: object) -> bool:
    """Whether a text is an expression of constants alone, such as `1 + 1`."""
    try:
        return isinstance(text, str) and not any(
            isinstance(n, ast.Name) for n in ast.walk(ast.parse(text, mode="eval"))
        )
    except (SyntaxError, ValueError):
        return False


def _vars(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    return read_attribute(frame, node, args[0], "__dict__") if args else TOP


_TABLE: dict[str, Builtin] = {
    **REFLECTION,
    "int": converts("int", STATIC_INT),
    "float": converts("float", STATIC_FLOAT),
    "complex": converts("complex", STATIC),
    "bool": _bool,
    "len": _len,
    "any": _all_any("any"),
    "all": _all_any("all"),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "sorted": _sorted,
    "sum": _sum,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "list": _container("list"),
    "tuple": _container("tuple"),
    "set": _container("set"),
    "frozenset": _container("set"),
    "reversed": _reversed,
    "iter": _passes,
    "map": _map,
    "filter": _filter,
    "dict": _dict,
    "abs": _abs,
    "round": _round,
    "next": _next,
    "print": _print,
    "input": _input,
    "divmod": _divmod,
    "pow": _pow,
    "slice": _slice,
    "open": _open,
    "eval": _evaluates("eval"),
    "exec": _evaluates("exec"),
    "vars": _vars,
    "object": _object,
    "property": _passes,
    "staticmethod": _passes,
    "super": lambda frame, node, args, keywords: TOP,
    "ord": lambda frame, node, args, keywords: STATIC_INT,
    "chr": lambda frame, node, args, keywords: STATIC_STR,
}
