"""The differential run: does the exported program answer as eager does?"""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import contextlib
import contextvars
import ctypes
import dataclasses
import math
import sys
from collections.abc import Callable, Generator, Iterable
from typing import Any, NamedTuple

from .program import has_values
from .stack import describe, shown


class Difference(NamedTuple):
    """The first place in which two answers differ, and how."""

    place: str
    eager: str = ""
    exported: str = ""
    """What eager and the exported program return there, in words; empty where one of them raises."""
    amount: str = ""
    """How many values differ, and by how much, in front of the two."""
    raised: str = ""
    """What the exported program raises where eager returns."""

    def sentence(self, eager: str = "eager", exported: str = "the exported program") -> str:
        """The difference between two that are called so."""
        if self.raised:
            return f"{eager} returns, {exported} raises {self.raised}"
        return f"{self.amount}{eager} returns {self.eager}, {exported} {self.exported}"


def first_difference(eager: Any, exported: Any, place: str) -> Difference | None:
    """The first leaf in which two answers differ, or None."""
    torch: Any = sys.modules["torch"]
    if isinstance(eager, torch.Tensor) or isinstance(exported, torch.Tensor):
        return _tensors(eager, exported, place, torch)
    if isinstance(eager, dict) and isinstance(exported, dict):
        if list(map(str, eager)) != list(map(str, exported)) and set(map(str, eager)) != set(map(str, exported)):
            return Difference(place, f"the keys {list(eager)}", f"the keys {list(exported)}")
        pairs = [(f"{place}[{key!r}]", eager[key], exported[key]) for key in eager if key in exported]
        return _first(pairs)
    if isinstance(eager, (list, tuple)) and isinstance(exported, (list, tuple)):
        if len(eager) != len(exported):
            return Difference(place, f"{len(eager)} values", f"{len(exported)} values")
        return _first((f"{place}[{i}]", a, b) for i, (a, b) in enumerate(zip(eager, exported)))
    if isinstance(eager, (set, frozenset)) and isinstance(exported, (set, frozenset)):
        return _unordered(list(eager), list(exported), place)
    if dataclasses.is_dataclass(eager) and _same_class(eager, exported):
        fields = [field.name for field in dataclasses.fields(eager)]
        return _first((f"{place}.{f}", getattr(eager, f, None), getattr(exported, f, None)) for f in fields)
    return _plain(eager, exported, place)


def _first(pairs: Iterable[tuple[str, Any, Any]]) -> Difference | None:
    return next((d for d in (first_difference(a, b, place) for place, a, b in pairs) if d), None)


def _unordered(eager: list[Any], exported: list[Any], place: str) -> Difference | None:
    """The first element of a set that has no counterpart in the other: tensors are in no order there."""
    if len(eager) != len(exported):
        return Difference(place, f"{len(eager)} values", f"{len(exported)} values")
    for value in eager:
        like = next((other for other in exported if first_difference(value, other, place) is None), None)
        if like is None:
            return Difference(place, f"a set with {shown(value, 60)}", "a set without it")
        exported = [other for other in exported if other is not like]
    return None


def _plain(eager: Any, exported: Any, place: str) -> Difference | None:
    numbers = (int, float, complex)
    if isinstance(eager, numbers) and isinstance(exported, numbers):
        same = eager == exported or (eager != eager and exported != exported)
        if not same and not isinstance(eager, complex) and not isinstance(exported, complex):
            same = math.isclose(eager, exported, rel_tol=1e-5, abs_tol=1e-6)
        return None if same else Difference(place, repr(eager), repr(exported))
    simple = (str, bytes, type(None))
    if isinstance(eager, simple) or isinstance(exported, simple):
        if type(eager) is type(exported) and eager == exported:
            return None
        return Difference(place, shown(eager, 60), shown(exported, 60))
    if not _same_class(eager, exported):
        return Difference(place, f"a {type(eager).__name__}", f"a {type(exported).__name__}")
    contents = getattr(eager, "__dict__", None)
    if isinstance(contents, dict):
        return first_difference(contents, exported.__dict__, place)
    return None


def _same_class(a: Any, b: Any) -> bool:
    """Whether two objects are of one class, or of one that a module that was loaded twice defines."""
    one, two = type(a), type(b)
    return one is two or (one.__module__, one.__qualname__) == (two.__module__, two.__qualname__)


_slack: contextvars.ContextVar[float] = contextvars.ContextVar("_slack", default=1.0)


@contextlib.contextmanager
def other_kernels(slack: float) -> Generator[None]:
    """Within it, numbers may lie so many times as far apart: each library sums in an order of its own."""
    token = _slack.set(slack)
    try:
        yield
    finally:
        _slack.reset(token)


def tolerances(dtype: Any) -> tuple[float, float]:
    """Relative and absolute, of the same kernels on both sides, in another grouping at most; of others that much more."""
    torch: Any = sys.modules["torch"]
    if dtype in (torch.float16, torch.bfloat16):
        return 2e-2, 2e-2
    if dtype.is_floating_point and dtype.itemsize == 1:
        return 0.25, 0.25
    if dtype in (torch.float64, torch.complex128):
        relative, absolute = 1e-7, 1e-9
    else:
        relative, absolute = 1e-4, 1e-5
    return relative * _slack.get(), absolute * _slack.get()


def _tensors(eager: Any, exported: Any, place: str, torch: Any) -> Difference | None:
    if not isinstance(eager, torch.Tensor) or not isinstance(exported, torch.Tensor):
        if isinstance(eager, (int, float)) or isinstance(exported, (int, float)):
            return first_difference(_number(eager, torch), _number(exported, torch), place)
        return Difference(place, f"a {type(eager).__name__}", f"a {type(exported).__name__}")
    if not has_values(exported):
        return Difference(place, "a tensor", "a fake tensor, which has no values")
    a, b = eager.detach(), exported.detach()
    if tuple(a.shape) != tuple(b.shape):
        return Difference(place, f"the shape {list(a.shape)}", f"the shape {list(b.shape)}")
    if a.dtype != b.dtype:
        return Difference(place, str(a.dtype), str(b.dtype))
    if a.is_meta or b.is_meta:
        kinds = ["a meta tensor" if t.is_meta else "a tensor with values" for t in (a, b)]
        return None if a.is_meta and b.is_meta else Difference(place, *kinds)
    if a.is_sparse or a.is_quantized or getattr(a, "is_nested", False):
        return None
    a, b = a.cpu(), b.cpu()
    relative, absolute = tolerances(a.dtype)
    if a.is_floating_point() and a.element_size() == 1:
        a, b = a.float(), b.float()  # torch computes nothing with eight bits
    if a.is_floating_point() or a.is_complex():
        finite = a[torch.isfinite(a)]
        scale = float(finite.abs().max()) if finite.numel() else 1.0
        same = torch.isclose(a, b, rtol=relative, atol=absolute * max(1.0, min(scale, 1e3)), equal_nan=True)
    else:
        same = a == b
    if not bool(same.all()):
        return _amount(a, b, ~same, place, torch)
    # torch was asked in a process in which the user's code may have replaced its functions and operators.
    return _second_opinion(a, b, place, relative, absolute)


def _second_opinion(a: Any, b: Any, place: str, relative: float, absolute: float) -> Difference | None:
    """What Python itself finds different in two tensors of the processor that torch calls equal, or None.

    Of more than `MAX_LOOKED_AT` values only so many are looked at, evenly spread.
    """
    bits = _bits(a)
    if bits is not None and bits == _bits(b):
        return None
    if a.numel() > MAX_LOOKED_AT:
        step = -(-a.numel() // MAX_LOOKED_AT)
        a, b = a.flatten()[::step], b.flatten()[::step]
    left, right = ([*_flat(_tolist(t))] for t in (a, b))
    finite = [abs(value) for value in left if not isinstance(value, bool) and _is_finite(value)]
    absolute *= max(1.0, min(max(finite, default=1.0), 1e3))
    exact = not (a.is_floating_point() or a.is_complex())
    for one, other in zip(left, right):
        if one == other or (one != one and other != other):
            continue
        # Twice torch's own bound, which was rounded to the type of the tensors.
        if (
            exact
            or not _is_finite(one)
            or not _is_finite(other)
            or abs(one - other) > 2 * (absolute + relative * abs(other))
        ):
            return Difference(place, repr(one), repr(other), "torch calls them equal in this process: ")
    return None


# A tenth of a second in Python.
MAX_LOOKED_AT = 200_000


def _flat(values: Any) -> Iterable[Any]:
    if not isinstance(values, list):
        yield values
        return
    for value in values:
        yield from _flat(value)


def _is_finite(value: Any) -> bool:
    return math.isfinite(value.real) and math.isfinite(value.imag)


def _bits(tensor: Any) -> memoryview | None:
    """The memory of a tensor, not copied; None where it does not lie in one piece."""
    try:
        if not _is_contiguous(tensor) or tensor.is_conj() or tensor.is_neg():
            return None
        size = tensor.numel() * tensor.element_size()
        return memoryview((ctypes.c_ubyte * size).from_address(_data_ptr(tensor))).cast("B") if size else None
    except Exception:
        return None


# Bound when the worker starts, before any code of the user runs.
_Tensor: Any = getattr(sys.modules.get("torch"), "Tensor", None)
_tolist: Any = getattr(_Tensor, "tolist", None)
_is_contiguous: Any = getattr(_Tensor, "is_contiguous", None)
_data_ptr: Any = getattr(_Tensor, "data_ptr", None)


def _number(value: Any, torch: Any) -> Any:
    return value.item() if isinstance(value, torch.Tensor) and value.numel() == 1 else value


def _amount(a: Any, b: Any, wrong: Any, place: str, torch: Any) -> Difference:
    if a.numel() == 1:
        form = "" if a.is_complex() else ".6g"
        return Difference(place, format(a.item(), form), format(b.item(), form))
    first = wrong.nonzero()[0].tolist()
    left, right = a[tuple(first)].item(), b[tuple(first)].item()
    share = f"{int(wrong.sum())} of {a.numel()} values differ"
    if a.dtype == torch.bool:
        return Difference(place, str(left), str(right), f"{share}; at {first} ")
    wide = a.to(torch.complex128 if a.is_complex() else torch.float64)
    apart = (wide - b.to(wide.dtype)).abs()
    apart = apart[torch.isfinite(apart)]
    most = f", by up to {float(apart.max()):.4g}" if apart.numel() else ""
    return Difference(place, f"{left:.6g}", f"{right:.6g}", f"{share}{most}; at {first} ")


def state_of(module: Any) -> dict[str, Any]:
    """Buffers by name, as tensors that a later call does not change."""
    return {name: buffer.detach().clone() for name, buffer in module.named_buffers() if buffer is not None}


def attributes(module: Any) -> dict[str, str]:
    """What the modules keep in plain attributes, by name: `n`, `encoder.step`. Tensors by their values' sum."""
    torch: Any = sys.modules["torch"]
    found: dict[str, str] = {}
    for prefix, part in module.named_modules():
        for name, value in vars(part).items():
            if name.startswith("_") and name in _OWN:
                continue
            if isinstance(value, torch.Tensor):
                text = _sum(value)
            elif isinstance(value, torch.nn.Module):
                continue
            else:
                text = str(len(value)) if isinstance(value, (list, dict, set)) else shown(value, 200)
            found[f"{prefix}.{name}" if prefix else name] = text
    return found


def _sum(tensor: Any) -> str:
    """What tells a tensor from what it was before, as far as that can be computed: not of every layout, nor quantized."""
    try:
        return f"{tuple(tensor.shape)} {tensor.detach().double().sum().item()}" if has_values(tensor) else ""
    except Exception:
        return str(tuple(tensor.shape))


# What every nn.Module keeps for itself.
_OWN = frozenset(
    [
        "_parameters",
        "_buffers",
        "_modules",
        "_non_persistent_buffers_set",
        "_backward_hooks",
        "_forward_hooks",
        "_forward_pre_hooks",
        "_state_dict_hooks",
    ]
)


class CallResult:
    """What one call gave: a value, or the exception it raised; and what it did to its inputs."""

    def __init__(self, value: Any, error: BaseException | None, inputs: Any) -> None:
        self.value = value
        self.error = error
        self.inputs = inputs


class Seeding:
    """Whether the model sets torch's generator itself, which no reseeding of ours may hide."""

    NAMES = ("manual_seed", "seed", "set_rng_state")

    def __init__(self) -> None:
        self.seen = False
        self._originals: dict[str, Any] = {}

    def __enter__(self) -> Seeding:
        torch: Any = sys.modules["torch"]
        for name in self.NAMES:
            self._originals[name] = getattr(torch, name)
            setattr(torch, name, self._noting(self._originals[name]))
        return self

    def _noting(self, original: Any) -> Any:
        def noting(*args: Any, **kwargs: Any) -> Any:
            self.seen = True
            return original(*args, **kwargs)

        return noting

    def __exit__(self, *_: Any) -> None:
        for name, original in self._originals.items():
            setattr(sys.modules["torch"], name, original)


def call(
    function: Any, inputs: tuple[tuple[Any, ...], dict[str, Any]], number: int, reseed: bool = False
) -> CallResult:
    """Calls with copies of the inputs and every generator set to `number`."""
    from .values import duplicate, seed

    torch: Any = sys.modules["torch"]
    args, kwargs = duplicate(inputs)
    seed(number)
    try:
        # A program of a non-strict export that raises within `no_grad` leaves gradients off (torch 2.13), for whoever
        # is called next.
        with torch.set_grad_enabled(torch.is_grad_enabled()):
            if reseed:
                with _same_randomness(number):
                    value = function(*args, **kwargs)
            else:
                value = function(*args, **kwargs)
    except BaseException as error:
        return CallResult(None, error, (args, kwargs))
    return CallResult(duplicate(value), None, (args, kwargs))


def _before_each_draw(act: Callable[[Any], None]) -> Any:
    """A context in which `act` is called with every operator that draws from torch's generator, before it runs."""
    torch: Any = sys.modules["torch"]
    from torch.utils._python_dispatch import TorchDispatchMode

    class BeforeEachDraw(TorchDispatchMode):
        # `torch.cond` and its kin pass through; what their functions draw is drawn from the running generator.
        supports_higher_order_operators = True

        def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if torch.Tag.nondeterministic_seeded in getattr(function, "tags", ()):
                act(function)
            return function(*args, **(kwargs or {}))

    return BeforeEachDraw()


def _same_randomness(number: int) -> Any:
    """Every random operator draws from the same seed.

    Export drops a random operator that nothing uses, and decompositions draw in another order: with one running
    generator all that follow would draw other numbers, and a faithful program would look wrong.
    """
    torch: Any = sys.modules["torch"]
    return _before_each_draw(lambda _: torch.manual_seed(number))


def draws(function: Any, inputs: tuple[tuple[Any, ...], dict[str, Any]], number: int) -> bool:
    """Whether a call draws from torch's generator, without setting it itself."""
    drawn: list[Any] = []

    def noted(*args: Any, **kwargs: Any) -> Any:
        with _before_each_draw(drawn.append):
            return function(*args, **kwargs)

    with Seeding() as seeding:
        call(noted, inputs, number)
    return bool(drawn) and not seeding.seen


def draws_in_view(program: Any) -> bool:
    """Whether an operator of the exported graph draws from torch's generator, and none of a branch or loop body does: those
    eager compiles on their own, where no mode sees them draw (torch 2.13), and a running generator has to do for both."""
    torch: Any = sys.modules["torch"]
    tag = torch.Tag.nondeterministic_seeded
    whole = program.graph_module
    drawing = [
        module is whole
        for module in whole.modules()
        if hasattr(module, "graph")
        and any(tag in getattr(n.target, "tags", ()) for n in module.graph.nodes if n.op == "call_function")
    ]
    return bool(drawing) and all(drawing)


def judge(eager: CallResult, exported: CallResult, names: list[str]) -> Difference | None:
    """How two answers to one call differ. Both raising is agreement: the values were not for this model."""
    if eager.error is not None:
        return None
    if exported.error is not None:
        error = exported.error
        text = describe(error).strip().split("\n")[0][:200]
        return Difference("output", raised=f"{type(error).__name__}: {text}")
    found = first_difference(eager.value, exported.value, "output")
    if found:
        return found
    (args, kwargs), (other_args, other_kwargs) = eager.inputs, exported.inputs
    positional = [
        (f"input {names[i] if i < len(names) else i}", a, b) for i, (a, b) in enumerate(zip(args, other_args))
    ]
    return _first([*positional, *((f"input {k}", kwargs[k], other_kwargs[k]) for k in kwargs)])


def unsteady(another: Callable[[], Any], inputs: Any, number: int, names: list[str], reseed: bool) -> Difference | None:
    """How two fresh instances of a model differ in eager on the same inputs, with every generator set alike.

    What differs from itself (memory that nobody wrote, the clock, threads) can be held against no program.
    """
    one = call(another(), inputs, number, reseed=reseed)
    two = call(another(), inputs, number, reseed=reseed)
    if one.error is not None or two.error is not None:
        return None
    return judge(one, two, names)


def refused(exported: CallResult) -> bool:
    """Whether the program did not answer because it was asked with another constant than it was traced with."""
    if exported.error is None:
        return False
    text = describe(exported.error)
    return "Guard failed" in text or "Expected input" in text


def states(eager: Any, exported: Any) -> Difference | None:
    """The first buffer that eager and the exported program keep differently."""
    return first_state(state_of(eager), exported)


def first_state(left: dict[str, Any], exported: Any) -> Difference | None:
    """The first buffer of `left` that a module keeps differently."""
    right = state_of(exported)
    return _first((f"buffer {name}", left[name], right[name]) for name in left if name in right)
