"""How many dimensions inputs have, learned from what an entry does with them.

Where all sizes are taken to be dynamic and nobody says how many an input has, the entry is traced an extra time. In that trace each
such input has an *open* rank: a number that no tensor has, from which the ranks of all that is made of the input are counted, so
that `x[None]` has one more. A use that raises for every other number of dimensions says which it is: sizes that are unpacked
(`b, n, d = x.shape`), `permute`, patterns of einops, equations of `einsum`, `bmm`, an assertion of `x.ndim`; so do layers, where a
batch is taken to be given to them. Tensors that are joined, or computed from one another number by number, are taken to have equally
many. Of an input whose rank the code asks for (`if x.ndim == 3`) only what is on every path counts. Where no such use says it, the
docstring and the comments of the function may.
"""

from __future__ import annotations

import ast
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from exportdb_rules.einops_patterns import ELLIPSIS, sides
from exportdb_rules.facts import RankNeeded
from exportdb_rules.interpreter import windows
from exportdb_rules.interpreter.dimensions import REDUCTIONS
from exportdb_rules.interpreter.machine import evaluate
from exportdb_rules.lattice import Sequence, is_true
from exportdb_rules.values import OPEN_RANK, TOP, Const, Shape, Static, Sym, Tensor, Value, is_open_rank

if TYPE_CHECKING:
    from exportdb_rules.interpreter.machine import Frame, Summary

ASKED: Final = 0
"""The rank of a fact that says no more than that the code asks for one."""
MOST: Final = 8
"""An input with more dimensions was learned wrongly."""

# The dimensions of what operators take.
_OPERATORS: Final = {
    **{name: (windows.rank_of(layer) + 2,) for name, layer in windows.FUNCTIONS.items()},
    "bmm": (3, 3),
    "baddbmm": (3, 3, 3),
    "mm": (2, 2),
    "mv": (2, 1),
    "dot": (1, 1),
    "outer": (1, 1),
    "pixel_shuffle": (4,),
    "pixel_unshuffle": (4,),
}
# Those of images by the way in which `interpolate` finds numbers between others.
_INTERPOLATED: Final = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}
_LAYERS: Final = {
    **{layer: windows.rank_of(layer) + 2 for layer in windows.LAYERS},
    **{f"{kind}{rank}d": rank + 2 for kind in ("BatchNorm", "InstanceNorm") for rank in (2, 3)},
    **dict.fromkeys(("LSTM", "GRU", "RNN"), 3),
    **dict.fromkeys(("PixelShuffle", "PixelUnshuffle", "UpsamplingBilinear2d", "Unfold"), 4),
    "Fold": 3,
    **dict.fromkeys(("TransformerEncoder", "TransformerEncoderLayer"), 3),
}
_SAME_RANK: Final = frozenset({"Linear", "LSTM", "GRU", "RNN", *windows.LAYERS})
# Layers that take several tensors of one rank, which, and how many.
_TOGETHER: Final = {
    "MultiheadAttention": (3, 3),
    **dict.fromkeys(("Transformer", "TransformerDecoder", "TransformerDecoderLayer"), (3, 2)),
    **dict.fromkeys(("LSTMCell", "GRUCell", "RNNCell"), (2, 3)),
}
_ONE_MORE: Final = frozenset({"stack", "one_hot", "embedding"})
_KEEPING: Final = frozenset(
    "cat concat concatenate matmul linear bmm baddbmm interpolate pad repeat_interleave index_select flip roll".split()
) | {*windows.FUNCTIONS}
_JOINING: Final = frozenset({"cat", "concat", "concatenate", "stack", "hstack", "vstack", "matmul"})


def needed(frame: Frame, node: ast.AST, tensor: Value, rank: int | None) -> None:
    """`node` takes a tensor of so many dimensions alone."""
    if type(tensor) is Tensor and tensor.rank is not None and rank is not None:
        one, other = (tensor.rank, rank) if is_open_rank(tensor.rank) else (rank, tensor.rank)
        if is_open_rank(one) and one != other:
            frame.emit(RankNeeded(frame.site(node), one, other))


def alike(frame: Frame, node: ast.AST, tensors: list[Tensor]) -> None:
    """Several tensors have equally many dimensions."""
    known = [tensor for tensor in tensors if tensor.rank is not None]
    for tensor in known[1:]:
        needed(frame, node, tensor, known[0].rank)


def computed(frame: Frame, node: ast.AST, operands: list[Tensor], result: Value) -> None:
    """A tensor is computed from several number by number. One of a rank that is known may be broadcast, as a rule if it is a vector
    or was made of numbers."""
    alike(frame, node, [*filter(_is_open, operands)])
    known = [one.known_rank or 0 for one in operands if one.dims is None and not one.fixed]
    if (rank := max(known, default=0)) > 1 and type(result) is Tensor:
        result.rank = rank
        for tensor in filter(_is_open, operands):
            frame.emit(RankNeeded(frame.site(node), tensor.rank or 0, rank, weak=True))


def of_product(operands: list[Tensor]) -> int | None:
    """The open rank of a product of matrices."""
    return next((one.rank for one in operands if _is_open(one)), None)


def _is_open(tensor: Tensor) -> bool:
    return tensor.rank is not None and is_open_rank(tensor.rank)


def of_operator(
    frame: Frame,
    node: ast.AST,
    short: str,
    args: list[Value],
    keywords: dict[str, Value],
    inputs: list[Tensor],
    result: Value,
) -> None:
    """What an operator needs of inputs with an open rank."""
    if short in _JOINING:
        alike(frame, node, inputs)
    for tensor, rank in zip(inputs, _OPERATORS.get(short, ()), strict=False):
        needed(frame, node, tensor, rank)
    if short == "interpolate" and inputs:
        mode = keywords.get("mode", args[3] if len(args) > 3 else None)
        needed(frame, node, inputs[0], _INTERPOLATED.get(str(mode.value)) if type(mode) is Const else None)
    elif short == "permute" and inputs:
        axes = args[1:]
        count = len(axes) if len(axes) > 1 else _length(axes[0]) if axes else None
        needed(frame, node, inputs[0], count)
    elif short in ("view", "reshape") and inputs and _is_open(inputs[0]) and not inputs[0].alias:
        rank = _split_into_heads(args[1:])
        if rank is not None:
            frame.emit(RankNeeded(frame.site(node), inputs[0].rank or 0, rank, weak=True))
    elif short == "einsum" and args and type(args[0]) is Const:
        parts = str(args[0].value).partition("->")[0].split(",")
        for part, operand in zip(parts, inputs, strict=False):
            needed(frame, node, operand, None if "." in part else len(part.replace(" ", "")))


def _split_into_heads(sizes: list[Value]) -> int | None:
    """The dimensions that a tensor has, as a rule, of which a view takes the last apart into numbers that the model was made
    with: `self.key(x).view(batch, -1, heads, width)`. An input itself may be flat."""
    fixed = sum(1 for _ in takewhile(_is_made_with, reversed(sizes)))
    front = sizes[: len(sizes) - fixed]
    dynamic = [size for size in front if type(size) is Sym and size.backed]
    rests = [size for size in front if type(size) is Const and size.value == -1]
    if fixed < 2 or not dynamic or len(rests) > 1 or len(dynamic) + len(rests) != len(front):
        return None
    return len(front) + 1


def _is_made_with(size: Value) -> bool:
    return type(size) is Static or (type(size) is Const and type(size.value) is int and size.value > 1)


def made(short: str, args: list[Value], keywords: dict[str, Value], inputs: list[Tensor]) -> int | None:
    """The rank of what an operator makes of tensors, where their ranks tell it."""
    if short == "einsum":
        made = str(args[0].value).partition("->")[2].replace(" ", "") if args and type(args[0]) is Const else ""
        return len(made) if made and "." not in made else None
    known = [one.rank for one in inputs if one.rank is not None]
    rank = inputs[0].rank if short not in _JOINING else known[0] if known else None
    if short == "matmul" and not any(map(is_open_rank, known)):
        return max(known) if len(known) == len(inputs) and min(known) > 1 else None
    if short == "repeat_interleave" and len(args) < 3 and "dim" not in keywords:
        return 1
    if short == "flatten":
        start = args[1] if len(args) > 1 else keywords.get("start_dim")
        if len(args) > 2 or "end_dim" in keywords or type(start) is not Const or type(start.value) is not int:
            return None
        return start.value + 1 if start.value >= 0 else None
    if rank is None:
        return None
    if short in REDUCTIONS and (len(args) > 1 or "dim" in keywords):
        keeps = args[2] if len(args) > 2 else keywords.get("keepdim")
        if is_true(keeps):
            return rank
        dim = args[1] if len(args) > 1 else keywords["dim"]
        gone = 1 if type(dim) is Const else _length(dim)
        return None if gone is None else rank - gone
    if short == "squeeze" and (len(args) > 1 or "dim" in keywords):
        return rank - 1  # whoever names a dimension knows, as a rule, that its size is 1
    return rank + 1 if short in _ONE_MORE else rank if short in _KEEPING else None


def of_layer(frame: Frame, node: ast.AST, short: str, inputs: list[Tensor], result: Value) -> None:
    """What a layer needs, and the rank of what it makes."""
    made = result.items[0] if type(result) is Sequence and result.items else result
    if type(made) is Tensor and made.rank is None and inputs and inputs[0].rank is not None:
        if short in _SAME_RANK:
            made.rank = inputs[0].rank
        elif short == "Embedding":
            made.rank = inputs[0].rank + 1
    if inputs:
        needed(frame, node, inputs[0], _LAYERS.get(short))
    rank, count = _TOGETHER.get(short, (None, 0))
    for tensor in inputs[:count]:
        needed(frame, node, tensor, rank)


def of_pattern(frame: Frame, node: ast.AST, pattern: str, tensor: Tensor) -> None:
    """What a pattern of einops needs."""
    both = sides(pattern)
    if both is not None and [ELLIPSIS] not in both[0]:
        needed(frame, node, tensor, len(both[0]))


def unpacked_beside(frame: Frame, target: ast.expr, value: ast.expr) -> None:
    """`b, n, d, device = *x.shape, x.device`."""
    parts = value.elts if isinstance(value, ast.Tuple) else []
    starred = [part for part in parts if isinstance(part, ast.Starred)]
    if len(starred) == 1 and isinstance(target, ast.Tuple):
        shape = evaluate(frame, starred[0].value)
        if type(shape) is Shape:
            needed(frame, target, shape.tensor, len(target.elts) - len(parts) + 1)


def compared(frame: Frame, test: ast.expr, outcome: bool) -> None:
    """After a test of `x.ndim`, `x.dim()` or `len(x.shape)` for being a number came out."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return
    read, number = test.left, test.comparators[0]
    if not isinstance(test.ops[0], ast.Eq if outcome else ast.NotEq) or not isinstance(number, ast.Constant):
        return
    owner: Value = TOP
    if isinstance(read, ast.Attribute) and read.attr == "ndim":
        owner = evaluate(frame, read.value)
    elif (
        isinstance(read, ast.Call) and isinstance(read.func, ast.Attribute) and read.func.attr in ("dim", "ndimension")
    ):
        owner = evaluate(frame, read.func.value)
    elif isinstance(read, ast.Call) and isinstance(read.func, ast.Name) and read.func.id == "len" and read.args:
        shape = evaluate(frame, read.args[0])
        owner = shape.tensor if type(shape) is Shape else TOP
    if type(number.value) is int:
        needed(frame, test, owner, number.value)


def _length(value: Value) -> int | None:
    return len(value.items) if type(value) is Sequence and value.items is not None else None


def learned(summary: Summary, documented: list[int | None]) -> list[int | None]:
    """The ranks of inputs that had open ones, in their order. What every call needs comes before what is `documented` of them, and
    that before anything else."""
    found: list[int | None] = [None] * len(documented)
    facts = _needs(summary)
    asked = {_counted(fact.open)[0] for fact, _ in facts if fact.rank == ASKED}
    _solve(found, [fact for fact, certain in facts if certain and not fact.weak])
    found = [said if rank is None else rank for rank, said in zip(found, documented, strict=True)]
    unasked = [fact for fact, _ in facts if not asked & {_counted(rank)[0] for rank in (fact.open, fact.rank)}]
    _solve(found, [fact for fact in unasked if not fact.weak])
    _solve(found, unasked)
    return [rank if rank is not None and 0 < rank <= MOST else None for rank in found]


def _solve(found: list[int | None], facts: list[RankNeeded]) -> None:
    """Fills in what follows from these facts, of several that contradict one another from the first."""
    before = -1
    while before != (before := sum(rank is not None for rank in found)):
        for fact in facts:
            at, more = _counted(fact.open)
            rank = fact.rank
            if rank == ASKED:
                continue
            if is_open_rank(rank):
                other, most = _counted(rank)
                here, there = found[at], found[other]
                if here is None and there is not None:
                    found[at] = there + most - more
                elif there is None and here is not None:
                    found[other] = here + more - most
            elif found[at] is None:
                found[at] = rank - more


def opened(number: int) -> int:
    """The open rank of an input."""
    return OPEN_RANK * (number + 1)


def _counted(rank: int) -> tuple[int, int]:
    """Which input an open rank is counted from, and how many more it is."""
    number = (rank + OPEN_RANK // 2) // OPEN_RANK
    return number - 1, rank - OPEN_RANK * number


def _needs(summary: Summary) -> list[tuple[RankNeeded, bool]]:
    """What is needed, and whether every call needs it."""
    found: list[tuple[RankNeeded, bool]] = []
    seen: set[int] = set()
    waiting = [(summary, True)]
    while waiting:
        one, always = waiting.pop(0)
        if id(one) not in seen:
            seen.add(id(one))
            found += [(fact, always and fact not in one.optional) for fact in one.facts if type(fact) is RankNeeded]
            certain = {*map(id, one.certain_calls)}
            waiting += [(inner, always and id(inner) in certain) for _, inner in one.calls]
    return found


def asked(frame: Frame, tensor: Tensor) -> None:
    """`x.ndim`, `x.dim()`, `len(x.shape)`."""
    if tensor.rank is not None and _is_open(tensor):
        frame.emit(RankNeeded(frame.site(ast.Pass()), tensor.rank, ASKED))
