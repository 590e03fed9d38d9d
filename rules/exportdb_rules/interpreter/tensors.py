"""Operators on tensors: their results by the table of torch's API, and the facts that they are."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Converted, DataRead, Iterated, SizedCall, SizeGiven, TensorWritten
from exportdb_rules.interpreter import in_place_views, ranks
from exportdb_rules.interpreter.autocast import check_converted, note_lowered
from exportdb_rules.interpreter.byte_masks import check_condition
from exportdb_rules.interpreter.demands import (
    TOGETHER,
    ask_of_operator,
    broadcast,
    check_computed,
    check_numpy_size,
    check_reshape,
    compare,
    operator,
)
from exportdb_rules.interpreter.dimensions import as_large_as, elements, expanded, moved, number_of, of_term, reshaped
from exportdb_rules.interpreter.dispatch import methods_of
from exportdb_rules.interpreter.float_arguments import check_floats
from exportdb_rules.interpreter.generators import check_generator
from exportdb_rules.interpreter.gradients import note_kept, note_required, note_write
from exportdb_rules.interpreter.guards import has_unbacked_size
from exportdb_rules.interpreter.iteration import dimension
from exportdb_rules.interpreter.numpy_provenance import ask_kept
from exportdb_rules.interpreter.operators import computed_from, loose_operand
from exportdb_rules.interpreter.random_numbers import use_drawn
from exportdb_rules.interpreter.readable import are_equal, number_read
from exportdb_rules.interpreter.results import axis_along, infer_meta
from exportdb_rules.interpreter.shape_rules import OperatorCall, groups_are_odd, parts, told_apart
from exportdb_rules.interpreter.shape_tokens import shape_made
from exportdb_rules.interpreter.size_arguments import (
    as_large_as_given,
    check_integers,
    check_order,
    check_range,
    check_read,
    dynamic_size,
    is_constant,
    resized,
    sized_alone,
    sized_by,
)
from exportdb_rules.interpreter.views import sizes_of_view
from exportdb_rules.lattice import Sequence, choices, is_none, is_true, tensors
from exportdb_rules.operator_table import example_dtype, is_float
from exportdb_rules.torch_api import RESHAPING, Api, lookup
from exportdb_rules.values import (
    FRESH,
    NONE,
    STATIC,
    STATIC_BOOL,
    STATIC_FLOAT,
    STATIC_INT,
    STATIC_STR,
    STORAGE,
    TOP,
    UNTYPED_STORAGE,
    Const,
    Evidence,
    Method,
    Shape,
    Static,
    Sym,
    Tensor,
    Value,
    is_unknown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.facts import SizeNeed
    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.values import Site

# Functions whose arguments are sizes or bounds, which strict export asks numpy's numbers for (measured).
_TAKE_KEPT = frozenset({"torch.zeros", "torch.ones", "torch.empty", "torch.rand", "torch.arange", "Tensor.new_zeros"})
_SIZED_BY_ARGUMENTS = frozenset(
    {"torch.zeros", "torch.ones", "torch.empty", "torch.full", "torch.rand", "torch.randn", "torch.randint", "torch.arange",
     "torch.eye", "torch.linspace", "torch.logspace", "torch.randperm"}
)  # fmt: skip


@methods_of(Tensor)
def call_tensor_method(
    frame: Frame, node: ast.AST, receiver: Tensor, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """`tensor.name(…)`."""
    api = lookup(f"Tensor.{name}")
    if api is None:
        return TOP
    result = call_operator(frame, node, f"Tensor.{name}", api, [receiver, *args], keywords)
    if receiver.array and type(result) is Tensor:
        return result.changed(array=True)
    return result


def call_operator(
    frame: Frame, node: ast.AST, name: str, api: Api, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """A call of an operator; for a method the receiver stands first."""
    short = name.rpartition(".")[2]
    site = frame.site(node)
    given = (*args, *keywords.values())
    read = (*args, *[value for keyword, value in keywords.items() if keyword != "out"])
    inputs = [t for a in read for t in _tensors_in(a)]
    use_drawn(frame, node, *given)
    if name not in _TAKE_KEPT:
        ask_kept(frame, node, "use", *given)
    special = _SPECIAL.get(short)
    if special is not None:
        result = special(frame, node, name, args, keywords)
        if result is not None:
            return result
    check_converted(frame, node, short, inputs[0] if inputs else None)
    if api.data:
        return _needs_data(frame, node, short, inputs)
    if api.integers:
        check_integers(frame, node, name, api, args, keywords)
    elif name == "torch.arange":
        check_range(frame, node, args, keywords)
    elif name == "torch.einsum":
        check_order(frame, node, args)
    elif short == "where":
        check_condition(frame, node, name, args, keywords)
    check_floats(frame, node, name, args, keywords)
    check_read(frame, node, name, args, keywords)
    check_generator(frame, node, name, args, keywords)
    first = inputs[0] if inputs else None
    if api.writes and first is not None and short.endswith("_"):
        note_write(frame, node, first, short, inputs[1:])
        if short in in_place_views.METHODS:
            in_place_views.ask_in_place_view(frame, node, first, short)
    out = keywords.get("out")
    for tensor in tensors(out) if out is not None else ():
        frame.emit(TensorWritten(site, tensor, "out"))
    for tensor in inputs:
        if tensor.unbacked or has_unbacked_size(frame, tensor):
            if _asks_for_sizes(short, tensor, args, keywords):
                along = tensor is inputs[0] and _by_its_size(short, tensor, args, keywords)
                frame.emit(SizedCall(site, name, tensor, along))
            break
    frame.emit_call(node, name, args, keywords)
    flag = keywords.get("is_causal")
    if type(flag) is Sym and flag.type == "bool":
        frame.emit(Converted(site, "flag", flag))  # it must be a bool: a SymBool is refused
    if api.returns in (["B"], ["I"], ["F"], ["S"], ["Z"]) or ("T" not in "".join(api.returns) + "L" and first is None):
        return _plain(frame, api, short, first, args)
    # The other tensor of `a.to(b)` gives its dtype and device alone.
    result = _choose(api, short, args, keywords, inputs[:1] if short in ("to", "type_as") else inputs)
    if type(result) is Tensor:
        result.readable = not frame.traced
    if first is None and type(result) is Tensor and name not in _SIZED_BY_ARGUMENTS:
        # torch.div(n, 2) of plain numbers: the tensor holds what tracing knows
        result.fixed = all(is_constant(a) for a in args)
        result.constant = result.fixed and frame.traced
    if type(result) is Tensor and short in TOGETHER and not _is_alone(args):
        result.constant = False  # of more elements than one nothing is remembered
    if first is None and type(result) is Tensor:
        result.random = api.random or result.random
        result.sized = not api.random and sized_alone(args, keywords)
    infer_meta(result, name, short, api, args, keywords, inputs)
    if type(result) is Tensor and result.unbacked and len(inputs) > 1:
        _meet(result, short, api, inputs)
    if short == "pad_sequence" and type(result) is Tensor and result.unbacked:
        _pad(result, args[1] if len(args) > 1 else keywords.get("batch_first"), inputs)
    if api.dynamic and _is_dynamic(short, args, keywords):
        if short == "one_hot" and first is not None and not first.constant:
            frame.emit(DataRead(site, short, first))
        _mark_unbacked(result, frame, node, first)
    elif first is None or name in _SIZED_BY_ARGUMENTS:
        sized_by(result, frame, name, args, keywords)
    elif short in ("view", "reshape", "expand", "new_zeros", "new_ones", "new_full", "new_empty", "repeat"):
        check_reshape(frame, node, short, first, args[1:])
        if short in ("view", "reshape"):
            check_numpy_size(frame, node, args[1:])
        if short.startswith("new_") and type(result) is Tensor:
            result.unbacked, result.site = False, None
        resized(result, args[1:2] if short == "new_full" else args[1:])
        if short == "expand" and type(result) is Tensor and not result.unbacked:
            result.dims = expanded(first.dims, args[1:])
        elif short != "repeat" and type(result) is Tensor and not result.unbacked:
            result.dims = reshaped(first, args[1:2] if short == "new_full" else args[1:])
            if short in ("view", "reshape") and first.dims and result.dims:
                result.dims = sizes_of_view(first.dims, result.dims, frame.run.dynamic.sizes)
    elif short == "new" and type(result) is Tensor and not keywords:
        as_large_as_given(result, args[1:])
    elif short == "narrow" and (loose := _lengthfrom_data(args, keywords)) is not None:
        assert type(result) is Tensor
        result.unbacked, result.site, result.evidence = True, loose.site, min(result.evidence, loose.evidence)
        result.axis = axis_along(short, first, args, keywords)
        result.rank = first.rank
    elif type(result) is Tensor and first.dims is not None and not result.unbacked:
        result.dims = moved(short, first.dims, args[1:], keywords) or result.dims
        result.rank = len(result.dims) if result.dims is not None else result.rank
    elif short in ("split", "split_with_sizes", "tensor_split"):
        _cut(frame, result, site, args, keywords)
    elif short in ("view_as", "expand_as", "reshape_as") and type(result) is Tensor and len(inputs) == 2:
        as_large_as(result, inputs[1])
        result.unbacked, result.site, result.axis = inputs[1].unbacked, inputs[1].site, inputs[1].axis
    if frame.run.undecided:
        ask_of_operator(OperatorCall(frame, node, short, args, keywords, inputs), result, pointwise=api.pointwise)
    by_signature = compare(frame, node, short, args, keywords, inputs)
    if type(result) is Sequence and inputs:
        parts(OperatorCall(frame, node, short, args, keywords, inputs), result)
    several = api.pointwise and len(inputs) > 1
    if type(result) is Tensor and not (several and result.unbacked) and not short.endswith("_"):
        dims = broadcast(frame, node, short, inputs) if several else by_signature
        dims = operator(frame, node, short, args, keywords, inputs) if dims is None else dims
        if dims is not None:
            result.dims, result.rank = dims, len(dims)
        if short == "unfold" and dims is not None:
            result.windows = told_apart(OperatorCall(frame, node, short, args, keywords, inputs), dims)
    if type(result) is Tensor and result.rank is None and inputs and (short != "squeeze" or frame.run.learns_ranks):
        result.rank = ranks.made(short, args, keywords, inputs)
    if frame.run.learns_ranks:
        if api.pointwise:
            ranks.computed(frame, node, inputs, result)
        ranks.of_operator(frame, node, short, args, keywords, inputs, result)
    check_computed(frame, node, short, result, inputs)
    note_lowered(frame, short, result)
    note_kept(frame, short, result)
    note_required(frame, short, result, inputs)
    for tensor in tensors(out) if out is not None and type(result) is Tensor else ():
        if _resizes(tensor, result):
            frame.emit_call(node, "out=", args, keywords)
        elif tensor.moves == 1:
            frame.emit_call(node, "out=permuted", args, keywords)
    if short in RESHAPING and first is not None and type(result) is Tensor:
        result.shape, result.rank = None, None
        result.dims, plain = None, short[:-1]
        if first.dims is not None:
            result.dims = moved(plain, first.dims, args[1:], keywords)
            result.dims = result.dims or operator(frame, node, plain, args, keywords, inputs)
        if result.dims is not None:
            result.rank = len(result.dims)
        frame.env.replace(first, result)
    elif type(result) is Tensor and result.shape is None and not (result.unbacked or api.dynamic):
        result.shape = shape_made(short, args, keywords)
    return result


def _resizes(out: Tensor, result: Value) -> bool:
    """Whether an operator has to give a tensor of `out=` another size: it is empty, or of another number of dimensions."""
    if type(result) is not Tensor:
        return False
    empty = any(type(size) is Static and size.number == 0 for size in out.dims or ())
    return (empty and not result.unbacked) or (None not in (out.rank, result.rank) and out.rank != result.rank)


# Operators of several tensors whose result is as large as the first of them, whatever the sizes of their masks.
_LIKE_FIRST = frozenset(
    {"masked_fill", "masked_fill_", "scaled_dot_product_attention", "index_fill", "scatter", "gather"}
)


def _cut(frame: Frame, result: Value, site: Site, args: list[Value], keywords: dict[str, Value]) -> None:
    """`x.split(sizes.tolist())`: a piece is as large as its number says. `x.tensor_split(places)` reads the numbers itself."""
    given = _places(args, keywords)
    if type(result) is not Sequence:
        return
    if type(given) is Sequence and type(number := given.any()) is Sym and not number.backed:
        made, evidence = number.site, number.evidence
    elif type(given) is Tensor and not given.constant:
        made, evidence = site, given.evidence
        if given.dims and type(given.dims[0]) is Sym and given.dims[0].backed:
            frame.emit(Iterated(site, given.dims[0], "pieces"))
    else:
        return
    for piece in result.items if result.items is not None else [result.any()]:
        if type(piece) is Tensor:
            piece.unbacked, piece.site, piece.evidence = True, made, min(piece.evidence, evidence)
            piece.axis = axis_along("split", piece, args, keywords)


# What says where a tensor is cut, by keyword.
_SECTIONS: Final = (
    "split_size_or_sections", "split_sizes", "tensor_indices_or_sections", "indices_or_sections", "indices", "sections",
)  # fmt: skip


def _places(args: list[Value], keywords: dict[str, Value]) -> Value | None:
    """What says where a tensor is cut."""
    return args[1] if len(args) > 1 else next((keywords[name] for name in _SECTIONS if name in keywords), None)


def _by_its_size(short: str, tensor: Tensor, args: list[Value], keywords: dict[str, Value]) -> bool:
    """Whether an operator asks for the size that depends on data: it cuts or moves along it, and not at places that are listed one
    by one."""
    if type(_places(args, keywords)) is Sequence:
        return False
    along = axis_along(short, tensor, args, keywords)
    return along is not None and along == tensor.axis


def _asks_for_sizes(short: str, tensor: Tensor, args: list[Value], keywords: dict[str, Value]) -> bool:
    """Whether an operator may ask for its sizes with these arguments: attention that drops weights is no kernel of its own."""
    if short == "scaled_dot_product_attention":
        dropped = args[4] if len(args) > 4 else keywords.get("dropout_p")
        return type(dropped) is not Const or not dropped.value
    return short != "group_norm" or _asks_for_groups(tensor, args, keywords)


def _is_alone(args: list[Value]) -> bool:
    """Whether a list has one element for sure."""
    return bool(args) and type(args[0]) is Sequence and args[0].items is not None and len(args[0].items) == 1


def _asks_for_groups(tensor: Tensor, args: list[Value], keywords: dict[str, Value]) -> bool:
    groups = args[1] if len(args) > 1 else keywords.get("num_groups")
    return tensor.dims is not None and len(tensor.dims) == 2 and groups_are_odd(tensor.dims[1], groups)


def _lengthfrom_data(args: list[Value], keywords: dict[str, Value]) -> Sym | None:
    """The length of `x.narrow(dim, start, length)`, where data decides it."""
    length = args[3] if len(args) > 3 else keywords.get("length")
    return length if type(length) is Sym and not length.backed else None


def _pad(result: Tensor, batch_first: Value | None, inputs: list[Tensor]) -> None:
    """`pad_sequence` of rows of data-dependent length: as long as the longest of them."""
    first = is_true(batch_first)
    result.axis = int(first)
    if all(tensor.rank == 1 for tensor in inputs) and (batch_first is None or type(batch_first) is Const):
        longest = Sym(
            "int", backed=False, site=result.site, low=0, size=True, evidence=max(Evidence.DERIVED, result.evidence)
        )
        result.dims = (STATIC_INT, longest) if first else (longest, STATIC_INT)
        result.rank = 2


def _meet(result: Tensor, short: str, api: Api, inputs: list[Tensor]) -> None:
    """Whether a result is of data-dependent size after all, where tensors of known size were given too."""
    if short in _LIKE_FIRST:
        loose = inputs[-1 if short == "gather" else 0]
    elif api.pointwise:
        loose = loose_operand(inputs)
    else:
        return
    result.unbacked = loose is not None and loose.unbacked
    if not result.unbacked:
        result.site, result.axis = None, 0


def _tensors_in(value: Value) -> list[Tensor]:
    found = tensors(value)
    if not found and type(value) is Sequence:
        items = value.items if value.items is not None else [value.any()]
        found = [t for item in items for t in tensors(item)]
    return found


_STORAGES: Final = {"storage": STORAGE, "untyped_storage": UNTYPED_STORAGE}


def _needs_data(frame: Frame, node: ast.AST, short: str, inputs: list[Tensor]) -> Value:
    """The operator wants to look at the data, which a fake tensor does not have."""
    if not frame.traced:
        return _nested(STATIC, inputs[0].known_rank or 0) if short == "tolist" and inputs else STATIC
    if not inputs:
        return TOP
    site = frame.site(node)
    first = inputs[0]
    if short in _STORAGES:
        frame.emit_call(node, f"Tensor.{short}", inputs)
        return Method(first, _STORAGES[short])  # a fake tensor has a storage, which has no address
    if short in ("equal", "allclose") and isinstance(node, ast.Call) and (answer := are_equal(frame, node, inputs)):
        return answer
    constant = all(t.constant for t in inputs)
    if not constant or short not in ("item", "tolist", "is_nonzero"):
        frame.emit(DataRead(site, short, first))
    evidence = first.evidence if first.readable else max(Evidence.DERIVED, min(t.evidence for t in inputs))
    if short in ("item", "tolist") and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        number_read(frame, node, node.func.value, first, "number")
    if short == "item":
        if constant:
            return STATIC
        return Sym(_number_type(first.dtype), backed=False, site=site, evidence=evidence)
    if short == "tolist":
        if constant:
            return Sequence("list", None, STATIC)
        length = dimension(frame, first, 0)
        if type(length) is Sym and length.backed and first.dims:
            frame.emit(Iterated(site, length, "numbers"))
        number = Sym(_number_type(first.dtype), backed=False, site=site, evidence=evidence)
        if first.rank == 0:
            return number
        size = number_of(first.dims[0]) if first.dims is not None and len(first.dims) == 1 else None
        if size is not None and 0 < size <= _LISTED:
            return Sequence("list", [number.changed(site=frame.site(node)) for _ in range(size)], depth=frame.depth)
        element = _nested(number, (first.known_rank or 1) - 1)
        return Sequence("list", None, element, length=length if type(length) is Sym else None)
    if short in ("equal", "allclose", "is_nonzero"):
        return STATIC_BOOL
    if short == "numpy":
        return _result(inputs).changed(array=True)  # strict export goes on with a tensor
    return TOP


def _nested(number: Value, levels: int) -> Value:
    """Lists of lists of numbers."""
    for _ in range(levels):
        number = Sequence("list", None, number)
    return number


def _number_type(dtype: object) -> str:
    dtype = example_dtype(dtype)
    if is_float(dtype):
        return "float"
    if dtype == "bool":
        return "bool"
    return "int" if isinstance(dtype, str) and dtype.startswith(("int", "uint")) else "number"


def _plain(frame: Frame, api: Api, short: str, first: Tensor | None, args: list[Value]) -> Value:
    """The result of a function that returns no tensor."""
    code = api.returns[0]
    if code == "B":
        if short == "is_tensor":
            asked = choices(args[0]) if args else [TOP]
            known = {None if is_unknown(c) else type(c) is Tensor for c in asked}
            return STATIC_BOOL if len(known) > 1 or None in known else Const(known.pop())
        dtype = None if first is None else example_dtype(first.dtype)
        if short in ("is_floating_point", "is_complex") and isinstance(dtype, str):
            return Const(is_float(dtype) if short == "is_floating_point" else dtype.startswith("complex"))
        return STATIC_BOOL
    if short in ("numel", "nelement") and first is not None:
        if first.unbacked:
            return Sym("int", backed=False, site=first.site, low=int(first.some), size=True, evidence=first.evidence)
        if has_unbacked_size(frame, first) and (count := elements(first.dims or ())) is not None:
            return of_term(count, next(size for size in first.dims or () if type(size) is Sym))
        size = dimension(frame, first, None)
        return size if type(size) is Sym else STATIC_INT
    if short in ("dim", "ndimension") and first is not None:
        ranks.asked(frame, first)
        if first.known_rank is not None:
            return Const(first.known_rank)
    return {"I": STATIC_INT, "F": STATIC_FLOAT, "S": STATIC_STR}.get(code, STATIC)


def of_codes(frame: Frame, node: ast.AST, api: Api, inputs: list[Tensor]) -> Value:
    """A value of the first return code of an operator."""
    return _of_code(api.returns[0], inputs)


def _result(inputs: list[Tensor]) -> Tensor:
    """A fresh tensor computed from others: data-dependent in size where one of them is."""
    if not inputs:
        return Tensor(FRESH, evidence=Evidence.OBSERVED)
    result = computed_from(inputs, next((t for t in inputs if t.unbacked), None))
    result.moves = inputs[0].moves
    return result


def _of_code(code: str, inputs: list[Tensor]) -> Value:
    if code == "T":
        return _result(inputs)
    if code.startswith("("):
        return Sequence("tuple", [_of_code(c, inputs) for c in _split_codes(code[1:-1])])
    if code == "L":
        return Sequence("tuple", None, _result(inputs))
    if code == "X":
        return NONE
    return {"B": STATIC_BOOL, "I": STATIC_INT, "F": STATIC_FLOAT, "S": STATIC_STR}.get(code, TOP)


def _split_codes(text: str) -> list[str]:
    codes: list[str] = []
    depth = 0
    for letter in text:
        if depth:
            codes[-1] += letter
        else:
            codes.append(letter)
        depth += {"(": 1, ")": -1}.get(letter, 0)
    return codes


def _choose(api: Api, short: str, args: list[Value], keywords: dict[str, Value], inputs: list[Tensor]) -> Value:
    """The overload that a call means, by the arguments that tell them apart."""
    codes = api.returns
    if len(codes) == 1:
        return _of_code(codes[0], inputs)
    if short in ("unique", "unique_consecutive"):
        extra = sum(
            not (type(v) is Const and v.value is False)
            for k, v in keywords.items()
            if k in ("return_inverse", "return_counts")
        )
        return _of_code(("T", "(TT)", "(TTT)")[extra], inputs)
    if short == "where":
        given = len(args) + sum(k in keywords for k in ("input", "other", "self"))
        return _of_code("L" if given == 1 else "T", inputs)
    if short == "nonzero":
        as_tuple = keywords.get("as_tuple")
        return _of_code("L" if is_true(as_tuple) else "T", inputs)
    tuples = [c for c in codes if c.startswith("(")]
    if tuples and "T" in codes:
        second = args[1] if len(args) > 1 else None
        by_dim = "dim" in keywords or (
            second is not None and type(second) in (Const, Static, Sym) and not is_none(second)
        )
        return _of_code(tuples[0] if by_dim else "T", inputs)
    if short == "size":
        return STATIC
    return _of_code(codes[0] if codes[0] != "X" else codes[-1], inputs)


def _is_dynamic(short: str, args: list[Value], keywords: dict[str, Value]) -> bool:
    """Whether this call is one of the overloads whose output size depends on data."""
    if short == "repeat_interleave":
        if "output_size" in keywords:
            return False
        repeats = args[1] if len(args) > 1 else keywords.get("repeats")
        return repeats is None or bool(tensors(repeats))
    if short == "one_hot":
        classes = args[1] if len(args) > 1 else keywords.get("num_classes")
        return classes is None or (type(classes) is Const and classes.value == -1)
    if short == "where":
        return len(args) + sum(k in keywords for k in ("input", "other", "self")) == 1
    return True


def _mark_unbacked(result: Value, frame: Frame, node: ast.AST, first: Tensor | None) -> None:
    site = frame.site(node)
    size = Sym("int", backed=False, site=site, low=0, size=True)
    short = _called_name(node)
    if type(result) is Tensor:
        result.unbacked, result.site, result.fixed = True, site, False
        if short in ("nonzero", "argwhere"):
            columns = STATIC_INT if first is None or first.rank is None else Const(first.rank)
            result.dims, result.rank = (size, columns), 2
        elif short in ("masked_select", "unique", "unique_consecutive", "bincount"):
            result.rank = 1
    elif type(result) is Sequence:
        items = result.items if result.items is not None else [result.any()]
        # Of a system of equations only the residuals may be missing; the solution is as large as the system says.
        for element in items[1:2] if short == "lstsq" else items:
            if type(element) is Tensor:
                element.unbacked, element.site, element.fixed = True, site, False
                if short in ("nonzero", "where"):
                    element.dtype, element.dims, element.rank = "int64", (size,), 1


def _called_name(node: ast.AST) -> str:
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            return node.func.attr
        if isinstance(node.func, ast.Name):
            return node.func.id
    return ""


def _size(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value | None:
    receiver = args[0] if args else TOP
    if type(receiver) is not Tensor:
        return None
    index = args[1] if len(args) > 1 else keywords.get("dim")
    if index is None:
        return Shape(receiver)
    return dimension(frame, receiver, index.value if type(index) is Const and isinstance(index.value, int) else None)


_NEED_OF_DATA: Final[dict[str, SizeNeed]] = {"torch.as_tensor": "data", "Tensor.new_tensor": "like data"}


def from_data(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value | None:
    """A constructor of tensors from data: of tensors it must look at their values, as of numbers read from tensors. Not so
    torch.tensor of symbols, for which torch.export has an implementation of its own (`torch._export.non_strict_utils`)."""
    given = args[1:] if name.startswith("Tensor.") else args
    data = given[0] if given else keywords.get("data", TOP)
    several = type(data) is Sequence
    leaves = [choice for leaf in (_leaves(data) if several else [data]) for choice in choices(leaf)]  # type: ignore[arg-type]
    symbols = [leaf for leaf in leaves if type(leaf) is Sym]
    read = next((leaf for leaf in leaves if several and type(leaf) is Tensor and not leaf.constant), None)
    loose = next((symbol for symbol in symbols if not symbol.backed), None)
    if read is not None and not (symbols and name == "torch.tensor"):
        frame.emit(Converted(frame.site(node), "tensor", read))
    elif loose is not None and name != "torch.tensor":
        need = _NEED_OF_DATA.get(name, "typed data")
        if several or need != "typed data":
            frame.emit(SizeGiven(frame.site(node), name, "data", loose, need))
    elif (several or name in _NEED_OF_DATA) and name != "torch.tensor":
        size = dynamic_size(frame, data)
        if size is not None:
            frame.emit(Converted(frame.site(node), "like_tensor" if name == "Tensor.new_tensor" else "as_tensor", size))
    return None


def _leaves(data: Sequence) -> Iterator[Value]:
    """The elements of a list, and of the lists in it."""
    for element in data.items if data.items is not None else [data.any()]:
        if type(element) is Sequence:
            yield from _leaves(element)
        else:
            yield element


def _type(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value | None:
    """`t.type()` names the class of tensors that `t` is of; with an argument it is a conversion."""
    return STATIC_STR if name == "Tensor.type" and len(args) == 1 and not keywords else None


# `tolist` of no more numbers than this is followed number by number.
_LISTED = 16

_SPECIAL = {
    "size": _size,
    **dict.fromkeys(("tensor", "as_tensor", "new_tensor", "new"), from_data),
    "type": _type,
}
