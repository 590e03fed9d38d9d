"""Dynamic sizes: which were asked for, which export kept, and which line of the user's froze the others."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from .stack import Frame, FrameClassifier, shown
from .unbacked import of_dims

_INTEGER = re.compile(r"-?\d+\Z")


class Event:
    """The moment at which export assumed something about a size."""

    def __init__(
        self, symbols: list[str], assumed: str, frames: list[Frame], sources: dict[str, list[str]], guard: Any = None
    ) -> None:
        self.symbols = symbols
        self.assumed = assumed
        self.frames = frames
        self.sources = sources
        self.guard = guard
        """The assumption as sympy has it; None for a symbol that another expression took the place of."""


class Watch:
    """Listens to ShapeEnv while an export runs.

    A ConstraintViolation is raised after tracing and carries no frame of the user's. The guards behind it were made
    while the user's line ran, so the line is noted there: in non-strict it is on the stack, in strict Dynamo knows it.
    """

    def __init__(self, users: FrameClassifier, torch: Any) -> None:
        self.users = users
        self.torch = torch
        self.events: list[Event] = []
        self.unbacked: dict[str, list[Frame]] = {}
        self._undo: list[Callable[[], None]] = []

    def __enter__(self) -> Watch:
        import torch.fx.experimental.symbolic_shapes as symbolic_shapes

        environment: Any = symbolic_shapes.ShapeEnv
        self._wrap(environment, "_log_guard", self._guarded)
        self._wrap(environment, "_set_replacement", self._replaced)
        for name in ("create_unbacked_symint", "create_unbacked_symfloat", "create_unbacked_symbool"):
            self._wrap(environment, name, self._unbacked, after=True)
        return self

    def __exit__(self, *_: Any) -> None:
        for undo in reversed(self._undo):
            undo()

    def _wrap(self, owner: Any, name: str, note: Callable[..., None], after: bool = False) -> None:
        original = owner.__dict__.get(name)
        if original is None:  # private: another torch may call it something else, and then lines stay unknown
            return

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs) if after else None
            with suppress(Exception):  # a note that fails must not change the export
                note(*args, result=result, **kwargs)
            return result if after else original(*args, **kwargs)

        setattr(owner, name, wrapped)
        self._undo.append(lambda: setattr(owner, name, original))

    def _frames(self) -> list[Frame]:
        dynamo = self.users.summaries(self.torch._guards.TracingContext.extract_stack())
        return dynamo or self.users.live()

    def _sources(self, environment: Any, symbols: Any) -> dict[str, list[str]]:
        known = getattr(environment, "var_to_sources", {})
        return {str(s): [_source_name(source) for source in known.get(s, [])] for s in symbols}

    def _guarded(self, environment: Any, prefix: str, guard: Any, *_: Any, **__: Any) -> None:
        symbols = sorted(guard.free_symbols, key=str)
        self.events.append(
            Event([str(s) for s in symbols], str(guard), self._frames(), self._sources(environment, symbols), guard)
        )

    def _replaced(self, environment: Any, symbol: Any, target: Any, *_: Any, **__: Any) -> None:
        assumed = f"Eq({symbol}, {target})"
        symbols = [symbol, *sorted(target.free_symbols, key=str)]
        if not any(event.assumed == assumed for event in self.events):
            self.events.append(
                Event([str(s) for s in symbols], assumed, self._frames(), self._sources(environment, symbols))
            )

    def _unbacked(self, *_: Any, result: Any = None, **__: Any) -> None:
        frames = self._frames()
        if frames:
            self.unbacked[str(result.node.expr)] = frames

    def created(self, text: str) -> list[Frame]:
        """Where the first unbacked symbol in `text` was made: a line as telling as the one that fails."""
        match = re.search(r"\b[uz]u?f?\d+\b", text)
        return self.unbacked.get(match[0], []) if match else []

    def restricting(self, text: str = "") -> list[Event]:
        """The events on user lines, one a line, that concern the sizes which `text` (a violation) names; those that leave one
        size come first where it says so."""
        told = [event for event in self.events if event.frames and not _unbacked_only(event)]
        named = [e for e in told if any(_is_named(s, text) for sources in e.sources.values() for s in sources)] or told
        if _CONSTANT.search(text):
            named.sort(key=lambda event: not any(_freezes(event, symbol) for symbol in event.symbols))
        events: list[Event] = []
        for event in named:
            if all(event.frames[-1] != earlier.frames[-1] for earlier in events):
                events.append(event)
        return events

    def blame(self, text: str) -> list[Frame]:
        """The user's stack at the first assumption that a violation is about."""
        events = self.restricting(text)
        return events[0].frames if events else []

    def excluding(self, inputs: list[InputTensor], at: dict[tuple[int, int], int]) -> Event | None:
        """The first assumption of a line of the user's that does not hold at other sizes, given by position and axis."""
        here = {**_sizes(inputs), **at}
        sizes = {source: here[axis] for source, axis in _axes(inputs).items()}
        for event in self.events:
            known = {s: sizes[name] for s, names in event.sources.items() for name in names if name in sizes}
            if not event.frames or event.guard is None or len(known) < len(event.symbols):
                continue
            with suppress(Exception):  # sympy's own refusals
                if not bool(event.guard.subs({s: known[str(s)] for s in event.guard.free_symbols})):
                    # Export treats 0 and 1 so wherever they are computed, and the line is not to blame.
                    return None if re.match(r"Ne\(.*, [01]\)\Z|.* [<>]=? -?[01]\Z", event.assumed) else event
        return None

    def larger(self, inputs: list[InputTensor]) -> Iterator[dict[tuple[int, int], int]]:
        """Sizes of the inputs, by position and axis, at which what comes to 1 in the example comes to more. Axes that have one
        size in the example may have to change together: they do so after the axes alone."""
        axes, sizes = _axes(inputs), _sizes(inputs)
        for times in (2, 4):
            grown: set[tuple[int, int]] = set()
            for event in self.events:
                of = {s: axes[name] for s, named in event.sources.items() for name in named if name in axes}
                if len(of) < len(event.symbols) or not _is_one(event.guard):
                    continue
                with suppress(Exception):  # sympy's own refusals
                    at = {s: times * sizes[of[str(s)]] for s in event.guard.free_symbols}
                    if not bool(event.guard.subs(at)):
                        grown |= set(of.values())
            if grown:
                alike = {axis for axis, size in sizes.items() if size in {sizes[one] for one in grown}}
                for chosen in dict.fromkeys((frozenset(grown), frozenset(alike))):
                    yield {axis: times * sizes[axis] for axis in chosen}

    def numbers(self) -> list[int]:
        """The numbers that lines of the user's compare sizes with, those of the first assumptions first."""
        guards = [event.guard for event in self.events if event.frames and event.guard is not None]
        found = [int(part) for guard in guards for part in guard.args if getattr(part, "is_Integer", False)]
        return list(dict.fromkeys(found))

    def about(self, sources: list[str], constant: bool) -> Event | None:
        """The first event on a dimension that has one of these source names; with `constant`, one that froze it, or another that
        it had been found to be equal to: export says of the first at a later line only that it is frozen, too."""
        alike = {s for event in self.events for s, names in event.sources.items() if set(names) & set(sources)}
        pairs: list[set[str]] = []
        for event in self.events:
            if constant and (pair := _equated(event)):
                pairs.append(pair)
                for _ in pairs:
                    alike = alike.union(*[pair for pair in pairs if pair & alike])
            if event.frames and any(not constant or _freezes(event, s) for s in event.symbols if s in alike):
                return event
        return None


# What a violation says of a dimension that one size is left of.
_CONSTANT = re.compile("to be a constant|inferred a static shape")


def _is_named(source: str, text: str) -> bool:
    """Whether a violation names a source, which it may do in either of two ways."""
    return source in text or source.replace("L[", "inputs[", 1).replace(".size()", ".shape") in text


def _source_name(source: Any) -> str:
    name: Any = getattr(source, "name", "")
    return str(name() if callable(name) else name)


def _unbacked_only(event: Event) -> bool:
    return bool(event.symbols) and all(symbol.startswith(("u", "zu")) for symbol in event.symbols)


def _is_one(guard: Any) -> bool:
    """Whether it was assumed that what is computed from sizes comes to 1."""
    return getattr(guard, "rel_op", "") == "==" and any(side == 1 for side in guard.args)


def _equated(event: Event) -> set[str]:
    """The two symbols that an assumption makes one, `Eq(s0, s1)`; none for any other."""
    match = re.match(r"Eq\((\w+), (\w+)\)\Z", event.assumed)
    return {*match.groups()} if match and not any(map(_INTEGER.match, match.groups())) else set()


def _freezes(event: Event, symbol: str) -> bool:
    """Whether an assumption leaves one size of a symbol: `Eq(s0, 8)`, or `Eq(s0 - 4, 4)`."""
    sides = getattr(event.guard, "args", ())
    if event.assumed.startswith("Eq(") and len(sides) == 2 and event.symbols == [symbol]:
        with suppress(Exception):  # sympy's own refusals
            slope = (sides[0] - sides[1]).diff(*event.guard.free_symbols)
            return bool(slope.is_number and slope != 0)
    match = re.match(r"Eq\((.+), (.+)\)\Z", event.assumed)
    return bool(match and symbol in (match[1], match[2]) and (_INTEGER.match(match[1]) or _INTEGER.match(match[2])))


class InputTensor:
    """One tensor among the inputs, and how to say which."""

    def __init__(self, position: int, name: str, keys: str, tensor: Any, path: tuple[str | int, ...] = ()) -> None:
        self.position = position
        """Among all leaves of the inputs, in the order of the exported program's user inputs."""
        self.name = name
        self.keys = keys
        self.tensor = tensor
        self.path = path
        """The parameter, then the indices and keys that lead to the tensor."""

    def sources(self, axis: int, order: int) -> list[str]:
        """The names that ShapeEnv may know the dimension by: they differ by mode and by torch version."""
        size = f".size()[{axis}]"
        return [
            f"L['{self.name}']{self.keys}{size}",
            f"L['flat_args'][{self.position}]{size}",
            f"L['args'][0][{order}]{self.keys}{size}",
            f"L['args'][1]['{self.name}']{self.keys}{size}",
        ]

    @property
    def label(self) -> str:
        """`x`, `states[0]`."""
        return self.name + self.keys


def _axes(inputs: list[InputTensor]) -> dict[str, tuple[int, int]]:
    """The dimensions of inputs, by position and axis, for each name that ShapeEnv may know them by."""
    names = list(dict.fromkeys(leaf.name for leaf in inputs))
    return {
        source: (leaf.position, axis)
        for leaf in inputs
        for axis in range(leaf.tensor.dim())
        for source in leaf.sources(axis, names.index(leaf.name))
    }


def _sizes(inputs: list[InputTensor]) -> dict[tuple[int, int], int]:
    return {(leaf.position, axis): int(size) for leaf in inputs for axis, size in enumerate(leaf.tensor.shape)}


def combine(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The inputs by the names of the parameters of `forward`, in the order in which they are given: the program has it too."""
    combined = _by_parameter(model, args, kwargs)
    return {
        **{name: value for name, value in combined.items() if name not in kwargs},
        **{n: combined[n] for n in kwargs},
    }


def _by_parameter(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The inputs by the names of the parameters of `forward`, in their order, as a sequence of `dynamic_shapes` has it."""
    try:
        bound = inspect.signature(model.forward).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return {**{f"args_{i}": value for i, value in enumerate(args)}, **kwargs}
    combined: dict[str, Any] = {}
    parameters = inspect.signature(model.forward).parameters
    for name, value in bound.items():
        if parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            combined.update(value)
        else:
            combined[name] = value
    return combined


def leaves(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[InputTensor]:
    """Every tensor of the inputs."""
    torch: Any = sys.modules["torch"]
    from torch.utils import _pytree as pytree

    found: list[InputTensor] = []
    position = 0
    for name, value in combine(model, args, kwargs).items():
        for path, item in pytree.tree_flatten_with_path(value)[0]:
            if isinstance(item, torch.Tensor):
                found.append(InputTensor(position, name, pytree.keystr(path), item, (name, *map(_step, path))))
            position += 1
    return found


def _step(entry: Any) -> str | int:
    """An index, a key or an attribute, of one step of pytree's path."""
    for name in ("idx", "key", "name"):
        value = getattr(entry, name, None)
        if isinstance(value, (int, str)):
            return value
    return str(entry)


def everything_dynamic(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], torch: Any) -> dict[str, Any]:
    """`Dim.AUTO` for every dimension of every tensor.

    Raises:
        NotImplementedError: this torch has no `Dim.AUTO`.
    """
    from torch.utils import _pytree as pytree

    auto = getattr(torch.export.Dim, "AUTO", None)
    if auto is None:
        import torch.export.dynamic_shapes as module

        auto = getattr(getattr(module, "DIM", None), "AUTO", None)
    if auto is None:
        raise NotImplementedError(f"torch {torch.__version__} has no Dim.AUTO")

    def dimensions(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return dict.fromkeys(range(value.dim()), auto) or None
        return None

    return {name: pytree.tree_map(dimensions, value) for name, value in combine(model, args, kwargs).items()}


def asked(
    spec: Any, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], torch: Any
) -> dict[int, dict[int, Any]]:
    """What `dynamic_shapes` asks for: by leaf position, by axis, the Dim."""
    from torch.utils import _pytree as pytree

    if spec is not None and hasattr(spec, "dynamic_shapes") and not isinstance(spec, dict):
        spec = spec.dynamic_shapes(model, args, kwargs)
    spec = of_dims(spec)
    combined = combine(model, args, kwargs)
    if isinstance(spec, (tuple, list)):
        spec = dict(zip(_by_parameter(model, args, kwargs), spec))
    if not isinstance(spec, dict):
        return {}
    wanted: dict[int, dict[int, Any]] = {}
    position = 0

    def walk(value: Any, part: Any) -> None:
        nonlocal position
        if isinstance(value, torch.Tensor):
            items = part.items() if isinstance(part, dict) else enumerate(part) if _sequence(part) else ()
            dims = {int(axis) % max(1, value.dim()): dim for axis, dim in items if _is_dim(dim)}
            if dims:
                wanted[position] = dims
            position += 1
        elif isinstance(value, (list, tuple)):
            for index, item in enumerate(value):
                walk(item, part[index] if _sequence(part) and index < len(part) else None)
        elif isinstance(value, dict):
            for key, item in value.items():
                walk(item, part.get(key) if isinstance(part, dict) else None)
        else:
            parts = list(part) if _sequence(part) else list(part.values()) if isinstance(part, dict) else []
            for index, item in enumerate(pytree.tree_leaves(value)):
                if isinstance(item, torch.Tensor):
                    walk(item, parts[index] if index < len(parts) else None)
                else:
                    position += 1

    for name, value in combined.items():
        walk(value, spec.get(name))
    return wanted


def _sequence(part: Any) -> bool:
    return isinstance(part, (list, tuple))


def _is_dim(dim: Any) -> bool:
    # AUTO and DYNAMIC are enum members or DimHint objects, a named Dim is a class up to 2.6 and an object after it.
    return dim is not None and not isinstance(dim, (int, str)) and "STATIC" not in str(dim)


def declared_range(dim: Any) -> tuple[int, int | None]:
    """The sizes that a Dim admits, as far as it says."""
    lower, upper = getattr(dim, "min", None), getattr(dim, "max", None)
    low = lower if isinstance(lower, int) else 0
    high = upper if isinstance(upper, int) and upper < 1 << 31 else None
    return low, high


def kept(program: Any) -> dict[int, list[Any]]:
    """The sizes of each input leaf as export sees them, ints and SymInts, by leaf position."""
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    sizes: dict[int, list[Any]] = {}
    position = 0
    for spec in program.graph_signature.input_specs:
        if spec.kind.name != "USER_INPUT":
            continue
        node = nodes.get(getattr(spec.arg, "name", ""))
        value = node.meta.get("val") if node is not None else None
        if value is not None and hasattr(value, "shape"):
            sizes[position] = list(value.shape)
        position += 1
    return sizes


def constants(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], program: Any) -> dict[str, str]:
    """The inputs that are no tensors and that the program accepts one value of, by name: `{"dim": "1"}`."""
    from torch.utils import _pytree as pytree

    fixed: list[bool] = [
        type(spec.arg).__name__ == "ConstantArgument"
        for spec in program.graph_signature.input_specs
        if spec.kind.name == "USER_INPUT"
    ]
    found: dict[str, str] = {}
    position = 0
    for name, value in combine(model, args, kwargs).items():
        for path, item in pytree.tree_flatten_with_path(value)[0]:
            if position < len(fixed) and fixed[position] and item is not None:
                found[name + pytree.keystr(path)] = shown(item, 100)
            position += 1
    return found


def ranges(program: Any) -> dict[str, tuple[int | None, int | None]]:
    """The range of each symbol, open ends None."""
    return {str(symbol): (_bound(r.lower), _bound(r.upper)) for symbol, r in program.range_constraints.items()}


def _bound(value: Any) -> int | None:
    try:
        number = int(value)
    except Exception:  # sympy's and torch's infinities each refuse in their own way
        return None
    return number if abs(number) < 1 << 31 else None


def expression(size: Any) -> str:
    """`s0`, `2*s0`, or the number."""
    node = getattr(size, "node", None)
    return str(node.expr) if node is not None else str(int(size))


def report(
    inputs: list[InputTensor],
    wanted: dict[int, dict[int, Any]],
    program: Any,
    watch: Watch,
) -> list[dict[str, Any]]:
    """What became of each dimension that was asked to be dynamic."""
    sizes, limits = kept(program), ranges(program)
    rows: list[dict[str, Any]] = []
    names: list[str] = []
    for leaf in inputs:
        if leaf.name not in names:
            names.append(leaf.name)
        for axis in sorted(wanted.get(leaf.position, {})):
            now = sizes.get(leaf.position, [])
            size = now[axis] if axis < len(now) else int(leaf.tensor.shape[axis])
            symbol = expression(size)
            dynamic = not _INTEGER.match(symbol)
            lower, upper = limits.get(symbol, (None, None))
            sources = leaf.sources(axis, names.index(leaf.name))
            event = watch.about(sources, constant=not dynamic) or (watch.about(sources, False) if not dynamic else None)
            example = int(leaf.tensor.shape[axis])
            reason = event.assumed if event else ""
            if not dynamic and event is None and example in (0, 1):
                reason = f"because export specializes a size of {example} in the example"
            rows.append(
                {
                    "input": leaf.label,
                    "position": leaf.position,
                    "axis": axis,
                    "size": example,
                    "dynamic": dynamic,
                    "symbol": symbol,
                    "lower": lower,
                    "upper": upper,
                    "frames": event.frames if event else [],
                    "reason": reason,
                }
            )
    return rows


def declare(rows: list[dict[str, Any]], sizes: dict[int, list[int | str]]) -> dict[str, str]:
    """Puts into the rows of a report what was made of the program declares: numbers, and the names of its axes, which
    are told by the symbols in whose place they stand."""
    names: dict[str, str] = {}
    for row in rows:
        declared = sizes.get(row["position"], [])
        if row["axis"] < len(declared):
            size = declared[row["axis"]]
            names[row["symbol"]] = str(size)
            # Under `backed_size_oblivious`, a size that only one number fits is a symbol all the same.
            number = row["lower"] if row["lower"] is not None and row["lower"] == row["upper"] else None
            dynamic = row["dynamic"] and isinstance(size, str) and number is None
            row.update(symbol=str(size if dynamic or number is None else number), dynamic=dynamic)
    return names
