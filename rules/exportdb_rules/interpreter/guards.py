"""The guards that export would add for what operators need of sizes, as facts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from exportdb_rules.dynamic_shapes import UNREAD
from exportdb_rules.facts import SizeDemanded, SizeNarrowed
from exportdb_rules.interpreter.dimensions import term_of
from exportdb_rules.slice_guards import EmptyGuard
from exportdb_rules.terms import LEAST, Demand, Term, demanded, divides, frozen, least, leaves_one, most, never_below
from exportdb_rules.values import Static, Sym, Tensor, Value

if TYPE_CHECKING:
    import ast

    from exportdb_rules.interpreter.dimensions import Dims
    from exportdb_rules.interpreter.machine import Frame

_ONE: Final = Term.number(1)


def has_unbacked_size(frame: Frame, tensor: Tensor) -> bool:
    """Whether a tensor has a size that hangs on one which is declared to be unbacked."""
    return frame.run.dynamic.kind == "unbacked" and any(type(size) is Sym for size in tensor.dims or ())


def demand(frame: Frame, node: ast.AST, operation: str, what: Demand | None, *sizes: Value) -> SizeDemanded | None:
    """Something must hold of sizes, one of which is dynamic; the fact, if the declaration does not promise it."""
    value = next((size for size in sizes if type(size) is Sym and size.backed), None)
    if what is None or value is None or (frame.run.dynamic.adopts(what) and not what.adopted):
        return None
    fact = SizeDemanded(frame.site(node), value, operation, what)
    frame.emit(fact)
    return fact


def equal(frame: Frame, node: ast.AST, operation: str, a: Value | None, b: Value | None) -> None:
    """An operator needs two sizes to be equal."""
    one, other = term_of(a), term_of(b)
    if one is not None and other is not None and a is not None and b is not None:
        what = demanded(one, other)
        if what is not None and what.difference is not None and frame.run.dynamic.are_narrowed_by(what.difference):
            what = replace(what, narrows=True)
        demand(frame, node, operation, what, a, b)
    elif (size := one or other) is not None and a is not None and b is not None and Static in (type(a), type(b)):
        # A number that is fixed when tracing begins, whichever it is.
        demand(frame, node, operation, frozen(size), a, b)


def _agree(frame: Frame, node: ast.AST, operation: str, sizes: list[Value], *, broadcasts: bool) -> Value | None:
    """Several sizes must be equal, but those that are 1 where an operator broadcasts. Which they are; None where it is not known
    whether one of them is 1."""
    wide = [size for size in sizes if not broadcasts or term_of(size) != _ONE]
    chosen = next(
        (size for size in wide if type(size) is Static and size.number is not None), wide[0] if wide else sizes[0]
    )
    unknown = broadcasts and any(type(size) is Static and size.number is None for size in wide)
    if unknown and any(type(size) is Sym for size in wide):
        return None
    for size in wide:
        if size is not chosen:
            equal(frame, node, operation, chosen, size)
    return chosen


def aligned(frame: Frame, node: ast.AST, operation: str, every: list[Dims], *, broadcasts: bool) -> Dims | None:
    """The sizes of several tensors, counted from the last one, must be equal but those that are 1 where an operator
    broadcasts; which they are, None where one is not known."""
    result: list[Value] = []
    for place in range(1, max((len(dims) for dims in every), default=0) + 1):
        met = [dims[-place] for dims in every if len(dims) >= place]
        size = _agree(frame, node, operation, met, broadcasts=broadcasts)
        if size is None:
            return None
        result.append(size)
    return tuple(reversed(result))


def lie_as_one(frame: Frame, dims: Dims, taken: Dims, axis: int, step: int) -> tuple[int, Demand] | None:
    """What export asks of windows or steps of a dimension where they are laid out anew: whether they lie in memory as one with
    the dimensions before them, `size == step * count`, which it sees of no named Dim (measured with torch 2.13).

    Args:
        dims: the sizes of what they are taken of; `taken`: of what they are.

    Returns:
        The dimension that is compared with those before it, and what is asked.
    """
    whole, count = term_of(dims[axis]), term_of(taken[axis])
    if whole is None or count is None or len(whole.dimensions) != 1:
        return None
    if all(term_of(size) == _ONE for size in taken[:axis]) or any(type(size) is Sym for size in dims[axis + 1 :]):
        return None  # nothing is asked, or of several dimensions
    parts = count * Term.number(step)
    if whole.at(frame.run.dynamic.sizes) != parts.at(frame.run.dynamic.sizes):
        return axis, Demand("unproven", f"{whole} != {parts}", whole.dimensions)
    what = divides(step, whole)
    return None if what is None else (axis, what)


def laid_out(frame: Frame, node: ast.AST, operation: str, tensor: Tensor, first: int, last: int) -> None:
    """An operator takes the dimensions from `first` to `last` together, of a tensor that may be windows or steps of another. It
    compares from the last one, and stops where windows and what is behind them do not lie as one."""
    if tensor.windows is not None and not first <= tensor.windows[0] < last:
        demand(frame, node, operation, tensor.windows[1], *(tensor.dims or ()))


def multiple(frame: Frame, node: ast.AST, operation: str, size: Value, of: int) -> None:
    """An operator needs a size to be a multiple of a number."""
    term = term_of(size)
    if term is not None and of > 1:
        demand(frame, node, operation, divides(of, term), size)


def no_smaller(
    frame: Frame,
    node: ast.AST,
    operation: str,
    size: Value,
    low: int,
    needed: int | None = None,
    made: Term | None = None,
) -> None:
    """An operator needs a size to be no smaller than a number, which its declaration may promise. What it leaves is specialized
    where that is 1 in the example, as a size of an input is.

    Args:
        needed: what the operator itself needs, where `low` is what it takes to leave a size above one: strict export does
            not refuse what lies between the two, up to an operator that asks (measured with torch 2.13).
        made: the size that is left above one, where it is another than `size`.
    """
    term = term_of(size)
    if term is None:
        return
    dynamic = frame.run.dynamic
    what, own = [least(term, number, dynamic.lowest) for number in (low, low if needed is None else needed)]
    left = made or term
    only = leaves_one(left, dynamic.sizes)
    if only is not None and (only.kind != "most" or dynamic.allows(only.dimension, only.number + 1)):
        strict = dynamic.kind != "named" or (own is not None and not _promised(frame, own))
        fact = demand(frame, node, operation, replace(only, strict=strict), size)
        if fact is not None and not strict:
            frame.run.undecided.setdefault(left, fact)
    elif what is not None and not _promised(frame, what):
        # Eager takes the sizes that leave 1: a derived Dim allows them still, and the program does not.
        adopted = dynamic.adopts(what) and (low == LEAST or own is None or own.number < what.number)
        strict = own is not None and not _promised(frame, own) and (not adopted or low == LEAST)
        fact = demand(frame, node, operation, replace(what, strict=strict, adopted=adopted), size)
        if fact is not None and not strict:
            frame.run.undecided.setdefault(left, fact)


def may_be_empty(frame: Frame, node: ast.AST, size: Sym) -> None:
    """What is made has a computed size, of which export asks whether it is 0."""
    term = size.term
    if term is None or not size.backed or never_below(term, 1) or any(map(str.isidentifier, term.dimensions)):
        return
    frame.emit(SizeNarrowed(frame.site(node), size, "", EmptyGuard(term, tuple(frame.path))))


def at_bound(frame: Frame, node: ast.AST, size: Value, number: int | None, outer: int = 0) -> None:
    """A slice compares a size with a bound, counted from either end; None: with one that is not known. A dimension without a name
    is narrowed to the example's side of it, and the declaration of a named one has to promise that.

    Args:
        outer: how many more elements have to be there for the slice to leave gaps, which export asks for a named Dim.
    """
    if type(size) is not Sym or not size.backed:
        return
    term = term_of(size)
    seen = None if term is None else term.at(frame.run.dynamic.sizes)
    if number is not None and (seen is None or seen >= number):
        no_smaller(frame, node, "slice", size, number + outer, needed=number)
        what = None if term is None else least(term, number)
        narrows = number > LEAST if term is None else what is not None and not _promised(frame, what)
    else:
        what = None if term is None or number is None else most(term, number - 1)
        narrows = number is None or (what is not None and frame.run.dynamic.allows(what.dimension, what.number + 1))
        if narrows:
            demand(frame, node, "slice", what, size)
    if narrows and (term is None or not any(map(str.isidentifier, term.dimensions))):
        frame.emit(SizeNarrowed(frame.site(node), size, "" if what is None else what.text))


def no_more(frame: Frame, node: ast.AST, operation: str, size: Value, number: int) -> Demand | None:
    """An operator takes no size above a number, or takes it otherwise; what that demands."""
    term = term_of(size)
    if term is None or type(size) is not Sym or size.high == UNREAD or (size.high is not None and size.high <= number):
        return None
    what = most(term, number)
    demand(frame, node, operation, what, size)
    return what


def on_a_side(frame: Frame, node: ast.AST, operation: str, size: Value, number: int) -> bool:
    """An operator computes otherwise where a size is larger than a number: export asks for it, and the exported program takes sizes
    on the example's side alone. Whether it is larger in the example."""
    term = term_of(size)
    if term is None or type(size) is not Sym or size.high == UNREAD:
        return False
    seen, what = term.at(frame.run.dynamic.sizes), None
    above = seen is not None and seen > number
    if above:
        no_smaller(frame, node, operation, size, number + 1)
        what = least(term, number + 1)
    elif seen is not None:
        what = no_more(frame, node, operation, size, number)
    # What several dimensions make together is narrowed as well.
    if (what is not None or seen is None or term.linear is None) and not any(map(str.isidentifier, term.dimensions)):
        frame.emit(SizeNarrowed(frame.site(node), size, "" if what is None else what.text))
    return above


def no_larger(frame: Frame, node: ast.AST, operation: str, count: Term, size: Value) -> bool:
    """An operator takes so many of a size. Where one of the two has a quotient or an extreme (`x[: n // 2]`), that is a guard
    which no named Dim is proven to fulfil unless the ranges of the two say so (measured with torch 2.13; under `2 * Dim("n")`
    it has no quotient). Of several dimensions (`x.flatten()`) it narrows none. Whether it is one."""
    whole = term_of(size)
    if whole is None or not (count.divides or whole.divides) or not count.dimensions <= whole.dimensions:
        return False
    if len(whole.dimensions) > 1 or (whole - count).value is not None:
        return False
    dynamic = frame.run.dynamic
    taken, there = [term.proven_range(dynamic.lowest, dynamic.highest) for term in (count, whole)]
    proven = taken[0] >= 0 and taken[1] <= there[0]
    if proven and not (operation == "slice" and count.has_remainder):  # of which 1 may be left
        return False
    what = Demand("unproven", f"{_text(count)} <= {_text(whole)}", count.dimensions)
    return demand(frame, node, operation, what, size) is not None


def taken_at(frame: Frame, node: ast.AST, operation: str, place: Term, size: Value) -> None:
    """One element of a dimension is taken at a dynamic size: it must lie before the end, and not before the beginning, since
    a negative one counts from the end."""
    low = least(place, 0)
    if low is not None and not _promised(frame, low):
        demand(frame, node, operation, replace(low, strict=True), size)
        return
    behind = Term.number(0) - place
    no_larger(frame, node, operation, behind if never_below(behind, 0) else place + _ONE, size)


def _text(term: Term) -> str:
    """A term in a message, without the brackets of a name that stands alone."""
    text = str(term)
    return text[1:-1] if text.startswith(("(min(", "(max(")) else text


def _promised(frame: Frame, what: Demand) -> bool:
    return frame.run.dynamic.promises(what.dimension, what.number)


def made_equal(frame: Frame, node: ast.AST, operation: str, size: Value, number: int | None) -> None:
    """An operator cuts a size off at a number, or pads it up to that: export asks which of the two, and whether it is equal
    (measured with torch 2.13). A size that the example does not tell may be specialized to the number, or narrowed by it."""
    term = term_of(size)
    seen = None if term is None else term.at(frame.run.dynamic.sizes)
    if seen is None or number is None:
        at_bound(frame, node, size, None)
    elif seen == number:
        equal(frame, node, operation, size, Static("int", number))
    else:
        at_bound(frame, node, size, number + (seen > number))
