"""Subscripts: items, slices and masks of tensors, shapes and containers."""

from __future__ import annotations

import ast
from types import NoneType
from typing import TYPE_CHECKING

from exportdb_rules.facts import Converted, Indexed, NumpyAsked, TraceTimeUsed
from exportdb_rules.interpreter.byte_masks import check_index, is_byte_mask
from exportdb_rules.interpreter.demands import cut, cut_at, decide_computed, meet_indices, met, specialized
from exportdb_rules.interpreter.dimensions import dots_in, indexed, number_of, picked
from exportdb_rules.interpreter.dispatch import call_method, read_attribute
from exportdb_rules.interpreter.formatting import ask_for_text
from exportdb_rules.interpreter.guards import lie_as_one
from exportdb_rules.interpreter.iteration import as_an_input, dimension, lies_in_order
from exportdb_rules.interpreter.membership import ask_for_hash
from exportdb_rules.interpreter.narrowing import evaluate_quietly
from exportdb_rules.interpreter.numpy_names import SUBSCRIPTED
from exportdb_rules.interpreter.numpy_provenance import ask_kept, is_kept
from exportdb_rules.interpreter.random_numbers import drawn_in, use_drawn
from exportdb_rules.interpreter.readable import number_read
from exportdb_rules.interpreter.shape_tokens import row_of
from exportdb_rules.interpreter.size_arguments import tells_no_data
from exportdb_rules.lattice import Mapping, Sequence, choices, is_none, is_plain, one_of
from exportdb_rules.operator_table import example_dtype
from exportdb_rules.values import (
    ARRAY,
    FRESH,
    KEPT,
    KEPT_NUMBER,
    NONE,
    NUMPY,
    NUMPY_ELEMENT,
    STATIC,
    STATIC_STR,
    TOP,
    Class,
    Const,
    Evidence,
    External,
    Instance,
    Shape,
    Static,
    Sym,
    Tensor,
    TraceTime,
    Union,
    Value,
    is_returned,
    may_count_back,
)

if TYPE_CHECKING:
    from exportdb_rules.interpreter.dimensions import Dims
    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.terms import Demand
    from exportdb_rules.values import Site


def item_of(frame: Frame, node: ast.Subscript, container: Value, index: Value) -> Value:
    """`container[index]` of one alternative of the container."""
    if type(container) is Tensor:
        return index_tensor(frame, node, container, index)
    if type(container) is Shape:
        return _shape_item(frame, node, container, index)
    if type(container) is Sequence:
        return _sequence_item(frame, node, container, index)
    if type(container) is Mapping:
        return _mapping_item(frame, node, container, index)
    if type(container) is Instance:
        return _instance_item(frame, node, container, index)
    if type(container) is Static:
        if (drawn := drawn_in(index)) is not None:
            return TraceTime(drawn.source, "list", drawn.site)
        if not is_kept(container):
            return NUMPY_ELEMENT if container is NUMPY and is_plain(index) else STATIC
        for number in _symbolic(index) if frame.traced else ():
            frame.emit(Indexed(frame.site(node.slice), container, number, "item"))
        return KEPT
    if type(container) is TraceTime:
        return container
    if type(container) is Const and isinstance(container.value, (str, bytes)):
        return _letters(frame, node, container.value, index)
    if type(container) is Class and type(index) is Const and isinstance(index.value, str):
        return read_attribute(frame, node, container, index.value)  # a member of an Enum
    if type(container) is External and container.name in SUBSCRIPTED and frame.traced:
        frame.emit(NumpyAsked(frame.site(node), "untranslated"))
        return NUMPY if is_plain(index) else TOP
    if type(container) is External or (type(container) is Sym and not container.backed):
        return container  # Optional[int], nn.ModuleList[T]; `tolist` of a tensor whose rank is not known
    return TOP


def _letters(frame: Frame, node: ast.Subscript, text: str | bytes, index: Value) -> Value:
    """A part of a text that is known."""
    at = node.slice
    parts = [at.lower, at.upper, at.step] if isinstance(at, ast.Slice) else []
    known = [NONE if part is None else evaluate_quietly(frame, part) for part in parts] or [index]
    for number in () if parts else _symbolic(index):
        frame.emit(Indexed(frame.site(at), Static("str"), number, "item"))
    numbers = [part.value for part in known if type(part) is Const]
    if len(numbers) < len(known) or isinstance(text, bytes):
        return STATIC_STR
    try:
        return Const(text[slice(*numbers)] if parts else text[numbers[0]])
    except (IndexError, TypeError, ValueError):
        return STATIC_STR


def _symbolic(value: Value) -> list[Tensor | Sym]:
    return [c for c in choices(value) if type(c) is Tensor or (type(c) is Sym and not c.backed)]


def _takes_part(index: Value) -> bool:
    """Whether a subscript may as well take an element of a tuple, or an entry of a dict."""
    if type(index) is Const:
        return isinstance(index.value, (int, str))
    return type(index) is Static or (type(index) is Sequence and index.type == "slice")


def index_tensor(frame: Frame, node: ast.Subscript, tensor: Tensor, index: Value) -> Tensor:
    """`tensor[index]`: the facts of its index, and the part that it takes."""
    if is_returned(tensor) and _takes_part(index):
        return tensor
    parts = index.items if type(index) is Sequence and index.type == "tuple" and index.items is not None else [index]
    advanced = False
    sizes: list[Tensor | Sym] = []  # what makes the size of the result depend on data
    place: Sym | None = None
    dropped = grown = 0
    together = type(index) is Sequence and index.type == "tuple"
    for at, part in enumerate(parts):
        check_index(frame, node, at, part)
        ask_kept(frame, node.slice, "range" if part is KEPT_NUMBER else "use", part)
        if part is NUMPY_ELEMENT:
            frame.emit(NumpyAsked(frame.site(node.slice), "index"))
        for choice in choices(part):
            if type(choice) is Tensor:
                advanced = True
                if choice.rank == 0 and choice.dtype != "bool" and not choice.constant:
                    form = "scalar" if isinstance(node.ctx, ast.Load) else "written scalar"
                    frame.emit(Indexed(frame.site(node.slice), tensor, choice, form))
                if choice.dtype == "bool" or choice.unbacked or is_byte_mask(choice):
                    sizes.append(choice)
            elif type(choice) is Sequence and choice.type == "slice":
                bounds = _bounds(frame, node, tensor, choice, _room(tensor, parts, choice))
                place = next(filter(may_count_back, bounds), place)
                sizes += bounds
            elif type(choice) is Sequence:
                advanced = True
                use_drawn(frame, node, choice)
                loose = next((e for e in choice.items or () if type(e) is Tensor and not e.constant), None)
                one = choice.element if choice.type == "tuple" and choice.items is None else None
                if type(one) is Tensor and one.rank == 0 and not one.constant:  # `x[tuple(place)]`
                    form = "scalar" if isinstance(node.ctx, ast.Load) else "written scalar"
                    frame.emit(Indexed(frame.site(node.slice), tensor, one, form))
                if type(one) is Tensor and one.unbacked:  # `x[mask.nonzero(as_tuple=True)]`
                    sizes.append(one)
                if loose is not None and len(parts) == 1 and choice.type == "list":
                    frame.emit(Indexed(frame.site(node.slice), tensor, loose, "listed"))
                number = _listed_number(choice) if choice.type == "list" else None
                if number is not None:
                    frame.emit(Indexed(frame.site(node.slice), tensor, number, "listed"))
                specialized(frame, node, "index", [e for e in choice.items or () if type(e) is Sym and e.backed])
                sizes += [e for e in choice.items or () if type(e) is Tensor and e.dtype == "bool"]
            elif type(choice) is Sym and not choice.backed:
                form = "item" if not together else "symbol" if isinstance(node.ctx, ast.Load) else "written symbol"
                frame.emit(Indexed(frame.site(node.slice), tensor, choice, form))
                place = choice if not together and may_count_back(choice) else place
                dropped += 1
            elif type(choice) is Const:
                grown += choice.value is None
                dropped += isinstance(choice.value, int)
            elif type(choice) in (Static, Sym) and choice.type == "int":  # type: ignore[attr-defined]
                dropped += 1
            elif type(choice) is TraceTime:
                use_drawn(frame, node, choice)
                advanced = advanced or choice.type in (ARRAY, "list")
                dropped += choice.type not in (ARRAY, "list")
    if together:
        target = "position" if isinstance(node.ctx, ast.Load) and not advanced else "written position"
        for number in [c for part in parts for c in choices(part) if type(c) is Sym and c.backed and c.type == "int"]:
            frame.emit(Converted(frame.site(node.slice), target, number))
    if not advanced and isinstance(node.ctx, ast.Load) and (begin := _hidden_begin(parts)) is not None:
        frame.emit(Indexed(frame.site(node.slice), tensor, begin, "begin"))
    rank = None if advanced or tensor.rank is None else tensor.rank - dropped + grown
    picking = [part for part in parts if not (type(part) is Sequence and part.type == "slice")]
    if advanced and len(picking) == 1:
        rank = _rank_of_picked(tensor, picking[0])
    dims = None
    if tensor.dims is not None and not sizes and not tensor.unbacked:
        of_parts = picked if advanced else indexed
        dims = of_parts(tensor.dims, parts, frame.run.dynamic.sizes)
    if tensor.dims is not None and not tensor.unbacked:
        cut(frame, node, tensor.dims, dims, parts, contiguous=lies_in_order(tensor))
        if any(map(_adds, parts)) and dims is not None:
            decide_computed(frame, [Tensor(dims=dims)])
        if advanced and isinstance(node.ctx, ast.Load):  # what is written checks that when it runs
            meet_indices(frame, node, tensor.dims, parts)
    elif as_an_input(tensor) and not advanced and not any(map(_adds, parts)):
        dots = dots_in(parts)
        for at, part in enumerate(parts):
            axis = at if dots is None or at < dots else at - len(parts)
            cut_at(frame, node, dimension(frame, tensor, axis), part)
    if tensor.unbacked and not sizes and not _takes_first(parts[0] if parts else index):
        sizes.append(tensor)
    return Tensor(
        FRESH if advanced else tensor.origin,
        alias=not advanced,
        dtype=tensor.dtype,
        shape=("dims", ()) if rank == 0 else row_of(tensor.shape) if len(parts) == 1 and _is_place(parts[0]) else None,
        rank=rank if dims is None else len(dims),
        dims=dims,
        unbacked=bool(sizes),
        axis=_axis_of_data(tensor, parts),
        some=tensor.some if any(size is tensor for size in sizes) else _is_never_empty(parts),
        constant=tensor.constant and not advanced,
        array=tensor.array,
        requires_grad=tensor.requires_grad and not frame.run.no_grad,
        place=None if advanced else place or tensor.place,
        fixed=tensor.fixed and not sizes and all(map(_is_fixed, parts)),
        sized=(tensor.sized or tensor.fixed) and all(map(tells_no_data, parts)),
        windows=None if tensor.dims is None or dims is None else _steps(frame, tensor.dims, dims, parts),
        site=_made_at(frame, node, sizes),
        evidence=max(Evidence.DERIVED, min([tensor.evidence, *[s.evidence for s in sizes]])),
        param=tensor.param if not sizes else None,
    )


def _steps(frame: Frame, dims: Dims, taken: Dims, parts: list[Value]) -> tuple[int, Demand] | None:
    """What export asks of `x[:, ::2]` where that is laid out anew; None where several dimensions are stepped through."""
    if any(map(_adds, parts)):
        return None
    steps = [(axis, _step(part)) for axis, part in met(tuple(range(len(dims))), parts)]
    found = [(axis, step) for axis, step in steps if step is None or step > 1]
    if len(found) != 1 or (step := found[0][1]) is None:
        return None
    return lie_as_one(frame, dims, taken, found[0][0], step)


def _step(part: Value) -> int | None:
    """The step of a slice; None where it is not known, or of what is no slice."""
    if type(part) is not Sequence or part.type != "slice" or not part.items or len(part.items) != 3:
        return None
    return 1 if is_none(part.items[2]) else number_of(part.items[2])


def _axis_of_data(tensor: Tensor, parts: list[Value]) -> int | None:
    """Which size of `tensor[parts]` depends on data, as far as is known: that of the first part which decides one, or keeps
    the one that the tensor had."""
    axis, met, made = tensor.axis if tensor.unbacked else None, 0, 0
    for at, part in enumerate(parts):
        if _is_decided_by_data(part):
            return made
        if type(part) is Const and part.value is ...:
            later = parts[at + 1 :]
            if tensor.known_rank is None:
                return None if axis is None or any(map(_is_decided_by_data, later)) else made + axis - met
            skipped = tensor.known_rank - met - sum(not _adds(one) for one in later)
            met, made = met + skipped, made + skipped
        elif _adds(part):
            made += 1
        elif _takes_first(part):
            met += 1
        else:
            met, made = met + 1, made + 1
        if axis is not None and axis < met:
            return None if _takes_first(part) else made + axis - met
    return None if axis is None else made + axis - met


def _is_never_empty(parts: list[Value]) -> bool:
    """Whether what data decides of an index is that it goes up to a number above 0, `x[: n + 1]`, or takes some places at least."""
    decided = [part for part in parts if _is_decided_by_data(part)]
    if decided and all(type(part) is Tensor and part.some for part in decided):
        return True
    ends = [
        part.items[1] if type(part) is Sequence and part.items and is_none(part.items[0]) else TOP for part in decided
    ]
    return bool(ends) and all(type(end) is Sym and end.low is not None and end.low > 0 for end in ends)


def _is_decided_by_data(part: Value) -> bool:
    """Whether the size that a part of an index leaves depends on data: of a mask, and of a slice up to a number from data."""
    taken: list[Value] = [part]
    if type(part) is Sequence:
        taken = (part.items or []) if part.type == "slice" else [part.any()]
    kinds = [choice for value in taken for choice in choices(value)]
    return any(type(k) is Tensor or (type(k) is Sym and not k.backed and type(part) is Sequence) for k in kinds)


def _hidden_begin(parts: list[Value]) -> Tensor | Sym | None:
    """Where a slice begins that depends on data, if a later part of the index begins further on.

    The place in the storage is a new symbol, which strict export finds only where the result begins right there (measured
    with torch 2.13).
    """
    for at, part in enumerate(parts):
        found = next(iter(_symbolic(_begin(part))), None) if type(part) is Sequence else None
        if found is not None and any(_goes_on(_begin(later)) for later in parts[at + 1 :]):
            return found
    return None


def _begin(part: Value) -> Value:
    """Where a part of an index begins: a slice at its first bound."""
    return part.items[0] if type(part) is Sequence and part.type == "slice" and part.items else part


def _goes_on(begin: Value) -> bool:
    """Whether what begins there begins after the first element."""
    if type(begin) is Const:
        return type(begin.value) is int and begin.value != 0
    return type(begin) in (Sym, Tensor)


def _is_fixed(part: Value) -> bool:
    """Whether an index takes as much whatever the sizes of the inputs are."""
    if type(part) is Sequence and part.type in ("slice", "list", "tuple"):
        return part.items is not None and all(map(_is_fixed, part.items))
    return type(part) in (Const, Static) or (type(part) is Tensor and (part.fixed or part.constant))


def _listed_number(part: Sequence) -> Sym | None:
    """A number from data in a list that a tensor is indexed by: the list becomes a tensor of plain numbers."""
    parts = part.items if part.items is not None else [part.any()]
    return next((c for p in parts for c in choices(p) if type(c) is Sym and not c.backed and c.type != "bool"), None)


def _rank_of_picked(tensor: Tensor, index: Value) -> int | None:
    """How many dimensions `tensor[index]` has, for one tensor that is a mask or holds indices."""
    if type(index) is not Tensor or index.rank is None or tensor.rank is None or index.dtype is None:
        return None
    dtype = example_dtype(index.dtype)
    mask = dtype == "bool"
    if not isinstance(dtype, str) or (mask and not 1 <= index.rank <= tensor.rank):
        return None
    return tensor.rank - index.rank + 1 if mask else tensor.rank - 1 + index.rank


def _room(tensor: Tensor, parts: list[Value], part: Sequence) -> Value | None:
    """The largest size up to which a slice may take elements; None where it is not known. A slice of an inner dimension leaves
    gaps, unless it takes all: whether it does is a guard, so that it must not (measured with torch 2.13)."""
    if tensor.dims is None or any(type(other) in (Tensor, Union) for other in parts):
        return None
    asked = _bound_of(part)
    taken = [other for other in parts if not _adds(other)]
    dots = dots_in(taken)
    dots = len(taken) if dots is None else dots
    behind = len(tensor.dims) - (len(taken) - dots) + 1
    found: list[int] = []
    for at, other in enumerate(taken):
        axis = at if at < dots else behind + at - dots - 1
        size = number_of(tensor.dims[axis]) if 0 <= axis < len(tensor.dims) else None
        bound = _bound_of(other)
        if other is not part and (bound is None or asked is None or bound.key() != asked.key()):
            continue
        if size is None:
            return None
        dropped = {number for number, before in enumerate(taken[:at]) if number < dots and _takes_first(before)}
        outer = [dim for number, dim in enumerate(tensor.dims[:axis]) if number not in dropped]
        found.append(size - any(number_of(dim) != 1 for dim in outer))
    return Static("int", min(found)) if found else None


def _bound_of(part: Value) -> Value | None:
    """The bound of a slice that says how much it takes: where it ends or, if that is left out, where it begins."""
    if type(part) is not Sequence or not part.items or len(part.items) != 3:
        return None
    start, stop, _ = part.items
    return start if is_none(stop) else stop


def _adds(part: Value) -> bool:
    """Whether a part of an index makes a new dimension."""
    return type(part) is Const and part.value is None


def _bounds(
    frame: Frame, node: ast.Subscript, tensor: Tensor, part: Sequence, size: Value | None
) -> list[Tensor | Sym]:
    """The bounds of a slice that depend on data."""
    found: list[Tensor | Sym] = []
    form = "slice" if isinstance(node.ctx, ast.Load) else "written slice"
    # The end first: where both bounds are dynamic it is the one that asks for more.
    for bound in reversed(part.items or ()):
        for choice in choices(bound):
            if choice is NUMPY:
                frame.emit(NumpyAsked(frame.site(node.slice), "slice"))
            ask_kept(frame, node.slice, "use", choice)
            use_drawn(frame, node, choice)
            if type(choice) is Tensor or (type(choice) is Sym and not choice.backed):
                frame.emit(Indexed(frame.site(node.slice), tensor, choice, form))
                found.append(choice)
            elif type(choice) is Sym and (tensor.fixed or number_of(size) is not None):
                frame.emit(Indexed(frame.site(node.slice), tensor, choice, form, size))
    return found


def _takes_first(part: Value) -> bool:
    """Whether an index takes one element of the first dimension, so that its size is gone."""
    return type(part) in (Const, Static, Sym) and not (type(part) is Const and part.value in (None, ...))


def _made_at(frame: Frame, node: ast.Subscript, sizes: list[Tensor | Sym]) -> Site | None:
    """Where the size of `tensor[…]` came to depend on data: here, unless an index or bound brought that along."""
    if not sizes:
        return None
    first = sizes[0]
    if first.site is not None and (type(first) is Sym or first.unbacked):  # type: ignore[union-attr]
        return first.site
    return frame.site(node)


def _shape_item(frame: Frame, node: ast.Subscript, shape: Shape, index: Value) -> Value:
    if type(index) is Const and isinstance(index.value, int):
        return dimension(frame, shape.tensor, index.value)
    if type(index) is Sequence and index.type == "slice":
        bounds = index.items or []
        low, high = bounds[0], bounds[1]
        numbers = [bound.value for bound in bounds if type(bound) is Const and isinstance(bound.value, (int, NoneType))]
        if shape.tensor.dims is not None and len(numbers) == len(bounds) == 3 and numbers[2] != 0:
            return Sequence("tuple", [*shape.tensor.dims[slice(*numbers)]], depth=frame.depth)
        some = dimension(frame, shape.tensor, None)
        if type(high) is Const and isinstance(high.value, int) and high.value > 0:
            start = low.value if type(low) is Const and isinstance(low.value, int) else 0
            if start >= 0:
                return Sequence(
                    "tuple",
                    [dimension(frame, shape.tensor, i) for i in range(start, min(high.value, 16))],
                    depth=frame.depth,
                )
        if (
            type(low) is Const
            and isinstance(low.value, int)
            and low.value < 0
            and type(high) is Const
            and high.value is None
        ):
            return Sequence(
                "tuple", [dimension(frame, shape.tensor, i) for i in range(max(low.value, -16), 0)], depth=frame.depth
            )
        return Sequence("tuple", None, some)
    return dimension(frame, shape.tensor, None)


def _sequence_item(frame: Frame, node: ast.Subscript, sequence: Sequence, index: Value) -> Value:
    if type(index) is Const and isinstance(index.value, int) and sequence.items is not None:
        if -len(sequence.items) <= index.value < len(sequence.items):
            return sequence.items[index.value]
        return TOP
    if type(index) is Const and isinstance(index.value, int) and 0 <= index.value < len(sequence.head()):
        return sequence.head()[index.value]
    index = number_read(frame, node.slice, node.slice, index, "int") or index
    _take_plain(frame, node, index)
    for symbol in _symbolic(index):
        frame.emit(Indexed(frame.site(node.slice), sequence, symbol, "item"))
    if index is NUMPY or index is NUMPY_ELEMENT:
        frame.emit(NumpyAsked(frame.site(node.slice), "index"))
    ask_kept(frame, node.slice, "range", index)
    if type(index) is TraceTime:
        return _drawn_element(frame, node, sequence.any(), index)
    if type(index) is Sequence and index.type == "slice":
        bounds = index.items or []
        for bound in bounds:
            _take_plain(frame, node, bound)
            for symbol in _symbolic(bound):
                frame.emit(Indexed(frame.site(node.slice), sequence, symbol, "slice"))
        values = [b.value if type(b) is Const else ... for b in bounds]
        if sequence.items is not None and ... not in values:
            try:
                return Sequence(sequence.type, sequence.items[slice(*values)], depth=frame.depth)  # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownArgumentType]
            except (TypeError, ValueError):
                return TOP
        start = values[0] if len(values) > 0 and isinstance(values[0], int) and values[0] >= 0 else None
        prefix = sequence.prefix[start:] if sequence.prefix and start is not None and values[1] is None else None
        return Sequence(sequence.type, None, sequence.any(), depth=frame.depth, prefix=prefix)
    return one_of(sequence)


def _take_plain(frame: Frame, node: ast.Subscript, index: Value) -> None:
    """Python's own containers are indexed by plain numbers: a size becomes the one of the example."""
    size = next((choice for choice in choices(index) if type(choice) is Sym and choice.backed), None)
    if size is not None:
        frame.emit(Converted(frame.site(node), "index", size))


def _drawn_element(frame: Frame, node: ast.Subscript, element: Value, index: TraceTime) -> Value:
    """The element that a drawn number chooses: a drawn number in turn, or one of the layers, functions or tensors."""
    if element is TOP:
        return TOP
    if all(type(choice) in (Const, Static) for choice in choices(element)):
        return TraceTime(index.source, "", index.site)
    frame.emit(TraceTimeUsed(frame.site(node), index, "branch"))
    return element


def _mapping_item(frame: Frame, node: ast.Subscript, mapping: Mapping, index: Value) -> Value:
    ask_for_hash(frame, node.slice, index)
    # An entry that tracing put there by such a name is found by it as well.
    if mapping.element is None and isinstance(node.ctx, ast.Load):
        ask_for_text(frame, node.slice, index)
    if type(index) is Const and index.value.__hash__ is not None:
        found = mapping.items.get(index.value)
        if found is not None:
            return found
        return TOP if mapping.element is None else mapping.element
    if type(index) is TraceTime:
        return _drawn_element(frame, node, mapping.any(), index)
    return one_of(mapping)


def _instance_item(frame: Frame, node: ast.Subscript, instance: Instance, index: Value) -> Value:
    if instance.elements is not None:
        if type(index) is Sequence and index.type == "slice":
            inner = item_of(frame, node, instance.elements, index)
            part = Instance(
                None, instance.external, state=instance.state, identity=("slice", instance.key(), inner.key())
            )
            part.elements = inner if isinstance(inner, (Sequence, Mapping)) else None
            return part
        if type(instance.elements) is Mapping and isinstance(node.ctx, ast.Load):
            ask_for_text(frame, node.slice, index)
        return item_of(frame, node, instance.elements, index)
    fields = instance.attributes.get("\0fields")
    if type(fields) is Sequence and fields.items is not None and type(index) is Const and isinstance(index.value, int):
        # A NamedTuple, or an output class that is indexed like the tuple of what it holds.
        held = [instance.attributes.get(name.value, TOP) for name in fields.items if type(name) is Const]
        held = [value for value in held if not is_none(value)]
        return held[index.value] if -len(held) <= index.value < len(held) else TOP
    if instance.cls is not None:
        return call_method(frame, node, instance, "__getitem__", [index])
    return TOP


def _is_place(index: Value) -> bool:
    """Whether an index picks one row."""
    if isinstance(index, Const):
        return type(index.value) is int
    return isinstance(index, (Static, Sym)) and index.type == "int"
