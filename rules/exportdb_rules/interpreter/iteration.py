"""What a loop, an unpacking or a star sees of a value."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, cast

from exportdb_rules.facts import Iterated
from exportdb_rules.interpreter import ranks
from exportdb_rules.interpreter.dispatch import call_method
from exportdb_rules.interpreter.numpy_provenance import ask_kept, is_kept
from exportdb_rules.interpreter.shape_tokens import row_of
from exportdb_rules.interpreter.submodules import SEQUENTIAL
from exportdb_rules.lattice import Mapping, Sequence, choices, is_none, join_all, one_of
from exportdb_rules.terms import LEAST
from exportdb_rules.values import (
    ARRAY,
    FRESH,
    KEPT,
    STATIC,
    STATIC_INT,
    STATIC_STR,
    TOP,
    Const,
    Evidence,
    Instance,
    Shape,
    Static,
    Sym,
    Tensor,
    TraceTime,
    Union,
    Value,
    is_returned,
)

if TYPE_CHECKING:
    from exportdb_rules.interpreter.machine import Frame


# A loop over the letters of a longer text is followed once.
MAX_LETTERS = 16


def row(tensor: Tensor) -> Tensor:
    """`tensor[i]`, a view."""
    if is_returned(tensor):
        return tensor
    return Tensor(
        tensor.origin,
        alias=True,
        dtype=tensor.dtype,
        shape=row_of(tensor.shape),
        rank=tensor.rank - 1 if tensor.rank else None,
        dims=tensor.dims[1:] if tensor.dims else None,
        constant=tensor.constant,
        fixed=tensor.fixed,
        sized=tensor.sized,
        moves=tensor.moves,
        evidence=max(Evidence.DERIVED, tensor.evidence),
        param=tensor.param,
    )


def dimension(frame: Frame, tensor: Tensor, index: int | None) -> Value:
    """`tensor.shape[index]`; None: some dimension."""
    if tensor.dims is not None:
        if index is not None and -len(tensor.dims) <= index < len(tensor.dims) and (index >= 0 or tensor.rank):
            return _settled(frame, tensor.dims[index])
        return join_all(tensor.dims) if tensor.dims else STATIC_INT
    if tensor.unbacked:
        # Of another than the first it is not said: what stands there is asked of tensors that need not be this one.
        return (
            Sym(
                "int",
                backed=False,
                site=tensor.site,
                low=int(tensor.some),
                size=True,
                evidence=max(Evidence.DERIVED, tensor.evidence),
            )
            if index == tensor.axis == 0
            else TOP
        )
    dynamic = frame.run.dynamic
    if tensor.fixed or not dynamic.any or _of_weights(tensor, index):
        return STATIC_INT
    if not dynamic.all_dimensions and index is not None and index not in dynamic.indices():
        return STATIC_INT
    # A part of an input may be smaller than what export gives a symbol to.
    symbolic = as_an_input(tensor) and dynamic.kind != "unbacked"
    low = max(LEAST, dynamic.low) if symbolic else dynamic.low
    # Of what is computed nobody knows whether it is this size that is dynamic.
    evidence = max(Evidence.DERIVED, tensor.evidence) if as_an_input(tensor) else Evidence.DERIVED
    return Sym("int", backed=True, low=low, high=dynamic.high, size=True, evidence=evidence)


def _settled(frame: Frame, size: Value) -> Value:
    """A size as a program reads it. What is left behind another size of a view specializes nothing where it is read as a number:
    export has a guard for it, but cannot solve that for a dimension (measured with torch 2.13)."""
    number = size.term.at(frame.run.dynamic.sizes) if type(size) is Sym and size.term and size.term.has_ratio else None
    return size if number is None else Static("int", number)


def _of_weights(tensor: Tensor, index: int | None) -> bool:
    """Whether a size is that of a layer's weight: the features that a linear layer makes, the channels of a convolution."""
    shape = cast("object", tensor.shape)
    if not isinstance(shape, tuple) or index is None or cast("tuple[object, ...]", shape)[:1] != ("module",):
        return False
    layer = str(cast("tuple[object, ...]", shape)[-1])
    if layer in ("Linear", "Bilinear", "Embedding"):
        return index == -1 or (tensor.rank is not None and index == tensor.rank - 1)
    return layer.startswith("Conv") and index in (1, -1 - int(layer[-2]))


def as_an_input(tensor: Tensor) -> bool:
    """Whether a tensor has the very shape of an input."""
    shape = cast("object", tensor.shape)
    return isinstance(shape, tuple) and cast("tuple[object, ...]", shape)[:1] == ("arg",)


def lies_in_order(tensor: Tensor) -> bool:
    """Whether the numbers of a tensor lie one after another in memory, as far as is known: inputs are taken to be contiguous."""
    return not tensor.moves and (not tensor.alias or tensor.ordered or as_an_input(tensor))


def elements(frame: Frame, node: ast.AST, value: Value) -> list[Value] | Value:
    """The elements of an iterable: a list where number and order are known, else one value for all of them."""
    if type(value) is Sequence:
        if value.items is not None:
            return list(value.items)
        length = value.length
        if isinstance(length, (Sym, Tensor)):
            form = value.type if value.type == "range" else "list"
            frame.emit(Iterated(frame.site(node), length, form))
        return value.any()
    if type(value) is Tensor:
        size = dimension(frame, value, 0)
        if type(size) is Sym:
            frame.emit(Iterated(frame.site(node), value, "tensor"))
        return row(value)
    if type(value) is Shape:
        shaped = value.tensor
        rank = shaped.known_rank
        if shaped.dims is not None or rank is None:
            return list(shaped.dims) if shaped.dims is not None else dimension(frame, shaped, None)
        return [dimension(frame, shaped, axis) for axis in range(rank)]
    if type(value) is Mapping:
        if value.element is None:
            return [Const(k) for k in value.items]
        return STATIC_STR
    if type(value) is Instance:
        return _instance_elements(frame, node, value)
    if type(value) is Union:
        parts: list[Value] = []
        for choice in value.choices:
            found = elements(frame, node, choice)
            parts.extend(found if isinstance(found, list) else [found])
        return join_all(parts)
    if type(value) is Static:
        ask_kept(frame, node, "use", value)
        return KEPT if is_kept(value) and not frame.traced else STATIC
    if type(value) is TraceTime and value.type in (ARRAY, "list"):
        return TraceTime(value.source, "", value.site)
    if type(value) is Const and isinstance(value.value, str):
        return STATIC_STR if value.value[MAX_LETTERS:] else [Const(letter) for letter in value.value]
    return value if type(value) is Sym and not value.backed else TOP  # `tolist` of a tensor whose rank is not known


def _instance_elements(frame: Frame, node: ast.AST, value: Instance) -> list[Value] | Value:
    if value.elements is not None:
        return elements(frame, node, value.elements)
    if value.cls is not None and value.cls.find("__iter__", frame.run.project) is not None:
        found: list[Value] = []
        for iterator in choices(call_method(frame, node, value, "__iter__", [])):
            if type(iterator) is Instance and iterator.cls is not None:
                # Python asks an iterator for the next element, never for an iterator of its own.
                found.append(call_method(frame, node, iterator, "__next__", []))
            elif iterator is not value:
                inner = elements(frame, node, iterator)
                found.extend(inner if isinstance(inner, list) else [inner])
        return join_all(found)
    if value.external in ("torch.nn.ModuleList", SEQUENTIAL):
        return TOP
    fields = value.attributes.get("\0fields")
    if isinstance(fields, Sequence) and fields.items is not None:
        return [value.attributes.get(f.value, TOP) for f in fields.items if isinstance(f, Const)]
    return TOP


def unpack(frame: Frame, target: ast.Tuple | ast.List, value: Value) -> list[Value]:
    """One value for each target of `a, *b, c = value`."""
    parts = target.elts
    count = len(parts)
    star = next((i for i, part in enumerate(parts) if isinstance(part, ast.Starred)), None)
    if type(value) is Union:
        columns = [unpack(frame, target, choice) for choice in value.choices if not is_none(choice)]
        return [join_all(column) for column in zip(*columns, strict=True)] if columns else [TOP] * count
    if type(value) is Shape:
        ranks.needed(frame, target, value.tensor, count if star is None else None)
        if star is None and value.tensor.rank is None and not value.tensor.unbacked:
            frame.env.replace(value.tensor, value.tensor.changed(rank=count))
        dims: list[Value] = [
            dimension(frame, value.tensor, i if star is None or i < star else i - count) for i in range(count)
        ]
        if star is not None:
            dims[star] = Sequence("list", None, dimension(frame, value.tensor, None))
        return dims
    if type(value) is Tensor:
        size = dimension(frame, value, 0) if value.dims or (value.unbacked and not value.moves) else None
        # Eager takes no other number: a dimension that nobody declared was not meant.
        if type(size) is Sym and frame.run.dynamic.kind != "assumed":
            frame.emit(Iterated(frame.site(target), size, "unpacking"))
        return [row(value) for _ in parts]
    known = elements_for_unpacking(frame, target, value)
    if isinstance(known, list):
        if star is None and len(known) == count:
            return known
        if star is not None and len(known) >= count - 1:
            behind = count - star - 1
            middle = known[star : len(known) - behind]
            return [*known[:star], Sequence("list", middle, depth=frame.depth), *known[len(known) - behind :]]
        return [join_all(known)] * count if known else [TOP] * count
    if star is None:
        return [known] * count
    return [Sequence("list", None, known) if i == star else known for i in range(count)]


def count_of(frame: Frame, iterable: Value) -> Value | None:
    """How many elements an iterable has over which a loop runs, where that is a value of its own."""
    if type(iterable) is Tensor:
        size = dimension(frame, iterable, 0)
        return size if type(size) is Sym else None
    modules = type(iterable) is Instance and iterable.elements is not None
    held = iterable.elements if type(iterable) is Instance else iterable
    if type(held) is Sequence and held.items is not None:
        return Static("int", len(held.items))
    if modules:
        return STATIC_INT
    return (held.count or held.length) if type(held) is Sequence else None


def elements_for_unpacking(frame: Frame, node: ast.AST, value: Value) -> list[Value] | Value:
    """As `elements`, but no loop runs: unpacking asks for the number of elements only."""
    if type(value) is Sequence:
        return list(value.items) if value.items is not None else one_of(value)
    return elements(frame, node, value)


def item(frame: Frame, value: Value) -> Value:
    """Some element, taken without a loop (`next(it)`, `items.pop()`)."""
    if type(value) is Sequence:
        return value.any()
    found = row(value) if type(value) is Tensor else elements(frame, ast.Pass(), value)
    return join_all(found) if isinstance(found, list) else found


def fresh_like(tensor: Tensor, **changes: object) -> Tensor:
    """A new tensor with the certainty of another, and data-dependent where that one is."""
    result = Tensor(
        FRESH,
        unbacked=tensor.unbacked,
        site=tensor.site,
        constant=tensor.constant,
        fixed=tensor.fixed,
        moves=tensor.moves,
        evidence=max(Evidence.DERIVED, tensor.evidence),
        param=tensor.param,
    )
    for name, value in changes.items():
        setattr(result, name, value)
    return result


def lengths(frame: Frame, value: Value) -> Value:
    """`len(value)`."""
    results: list[Value] = []
    for choice in choices(value):
        if type(choice) is Tensor:
            size = dimension(frame, choice, 0)
            results.append(size)
        elif type(choice) is Shape:
            ranks.asked(frame, choice.tensor)
            rank = choice.tensor.known_rank
            results.append(Const(rank) if rank is not None else STATIC_INT)
        elif type(choice) is Sequence:
            if choice.items is not None:
                results.append(Const(len(choice.items)))
            elif choice.length is not None:
                results.append(choice.length)
            else:
                results.append(STATIC_INT)
        elif type(choice) is Mapping:
            results.append(Const(len(choice.items)) if choice.element is None else STATIC_INT)
        elif type(choice) is Const and isinstance(choice.value, str):
            results.append(Const(len(choice.value)))
        elif type(choice) is TraceTime and choice.type in (ARRAY, "list"):
            results.append(STATIC_INT)
        elif type(choice) is TraceTime:
            results.append(TraceTime(choice.source, "int", choice.site))
        elif type(choice) is Static:
            results.append(STATIC_INT)
        elif type(choice) is Instance and choice.elements is not None:
            results.append(lengths(frame, choice.elements))
        elif type(choice) is Instance and choice.cls is not None:
            results.append(call_method(frame, ast.Pass(), choice, "__len__", []))
        else:
            results.append(TOP)
    return join_all(results)
