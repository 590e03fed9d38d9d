"""The sizes of images behind convolutions, pooling and scaling: as terms, where the numbers that decide them are known.

A window of `kernel` numbers that moves by `stride` over `n + 2 * padding` of them stops
`(n + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1` times (torch docs, `Conv1d`, `MaxPool1d`); a transposed
convolution turns that round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exportdb_rules.interpreter.dimensions import COMPUTED, Dims, given, numbers_of, of_term, term_of
from exportdb_rules.lattice import Sequence
from exportdb_rules.terms import Term
from exportdb_rules.values import STATIC_INT, Const, Static, Sym, Value

if TYPE_CHECKING:
    from collections.abc import Callable

    Taken = Callable[[int, str], Value | None]

_RANKS: Final = (1, 2, 3)
CONVOLUTIONS: Final = frozenset(f"Conv{rank}d" for rank in _RANKS)
TRANSPOSED: Final = frozenset(f"ConvTranspose{rank}d" for rank in _RANKS)
MAX_POOLS: Final = frozenset(f"MaxPool{rank}d" for rank in _RANKS)
AVERAGE_POOLS: Final = frozenset(f"AvgPool{rank}d" for rank in _RANKS)
ADAPTIVE_POOLS: Final = frozenset(f"Adaptive{kind}Pool{rank}d" for kind in ("Avg", "Max") for rank in _RANKS)
POOLS: Final = MAX_POOLS | AVERAGE_POOLS
LAYERS: Final = CONVOLUTIONS | TRANSPOSED | MAX_POOLS | AVERAGE_POOLS | ADAPTIVE_POOLS
# The functions of torch.nn.functional that do what the layers do.
FUNCTIONS: Final = {
    **{f"conv{rank}d": f"Conv{rank}d" for rank in _RANKS},
    **{f"conv_transpose{rank}d": f"ConvTranspose{rank}d" for rank in _RANKS},
    **{f"{kind}_pool{rank}d": f"{kind.title()}Pool{rank}d" for kind in ("max", "avg") for rank in _RANKS},
    **{f"adaptive_{kind}_pool{rank}d": f"Adaptive{kind.title()}Pool{rank}d" for kind in ("avg", "max") for rank in _RANKS},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Window:
    """How a window moves along one dimension. `more` is the output padding of a transposed convolution."""

    kernel: int
    stride: int
    padding: int
    dilation: int = 1
    more: int = 0

    @property
    def _reach(self) -> int:
        return self.dilation * (self.kernel - 1) + 1

    @property
    def least(self) -> int:
        """The smallest size over which it stops twice: export takes every dynamic size for one above 1."""
        return self.stride + self.needed

    @property
    def needed(self) -> int:
        """The smallest size over which it stops once."""
        return self._reach - 2 * self.padding

    def over(self, size: Term) -> Term:
        """The number of places at which it stops."""
        free = size + Term.number(2 * self.padding - self._reach)
        return free.quotient(self.stride) + Term.number(1)

    def spread(self, size: Term) -> Term:
        """The size of what so many places cover: a transposed convolution."""
        return (size - Term.number(1)) * Term.number(self.stride) + Term.number(
            self._reach + self.more - 2 * self.padding
        )


def rank_of(layer: str) -> int:
    """The number of dimensions of the images that a layer takes: 2 for `Conv2d`."""
    return int(layer[-2])


def moving(layer: str, count: int, taken: Taken, kernel: list[Value] | None = None) -> list[Window] | None:
    """How the window of a layer moves along each of `count` dimensions; None where that is not known, or is rounded up.

    Args:
        taken: what the layer is given, by index and name as its constructor has them, a convolution's behind the channels.
        kernel: the size of the window, where it is that of a weight.
    """
    sizes = numbers(taken(0, "kernel_size"), count) if kernel is None else numbers_of(kernel)
    if sizes is None:
        return None
    pools = layer in POOLS
    steps = numbers(taken(1, "stride"), count, sizes if pools else [1] * count)
    around = numbers(taken(2, "padding"), count, [0] * count)
    more, apart = [0] * count, [1] * count
    if layer in MAX_POOLS or layer in CONVOLUTIONS or layer in ("unfold", "fold"):
        spread = numbers(taken(3, "dilation"), count, apart)
    elif layer in TRANSPOSED:
        spread = numbers(taken(6, "dilation"), count, apart)
        more = numbers(taken(3, "output_padding"), count, more)
    else:
        spread = apart
    rounded_up = taken(5 if layer in MAX_POOLS else 3, "ceil_mode") if pools else None
    if rounded_up is not None and not (type(rounded_up) is Const and rounded_up.value is False):
        return None
    if steps is None or around is None or spread is None or more is None or min(steps) < 1:
        return None
    return [Window(*numbers) for numbers in zip(sizes, steps, around, spread, more, strict=True)]


def numbers(value: Value | None, count: int, default: list[int] | None = None) -> list[int] | None:
    """A number for each dimension: one for all, or a tuple of them; None where they are not known."""
    if value is None or (type(value) is Const and value.value is None):
        return default
    found = numbers_of((value.items or []) if type(value) is Sequence else [value])
    if found is not None and len(found) == 1:
        return found * count
    return found if found and len(found) == count else None


def adapted(image: Dims, sizes: Value | None) -> list[Value]:
    """The sizes that adaptive pooling is asked for; None keeps one."""
    wanted = sizes.items if type(sizes) is Sequence else None if sizes is None else [sizes] * len(image)
    if wanted is None or len(wanted) != len(image):
        return [unknown(dim) for dim in image]
    kept = [type(size) is Const and size.value is None for size in wanted]
    return [
        dim if keep else (given([size]) or (STATIC_INT,))[0]
        for dim, size, keep in zip(image, wanted, kept, strict=True)
    ]


def scaled(dim: Value, factor: float) -> Value:
    """A size times a factor, rounded down."""
    term = term_of(dim)
    if term is None:
        return unknown(dim)
    if factor >= 1:
        return of_term(term * Term.number(int(factor)), dim) if factor == int(factor) else COMPUTED
    by = 1 / factor
    return of_term(term.quotient(int(by)), dim) if by == int(by) else COMPUTED


def unknown(dim: Value) -> Value:
    """A size that was computed from another in a way that is not known."""
    return COMPUTED if type(dim) is Sym else STATIC_INT if type(dim) is Static else dim
