"""Inputs for a model that nobody called: from names, annotations and the sizes of its layers, tried in eager."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import copy
import inspect
import re
import sys
import time
import typing
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from .stack import describe

BATCH, LENGTH, SIDE = 2, 8, 16
LARGEST_SIDE = 256
LARGEST_CUBE = 64
ROUNDS = 4
# Parameters that may be None, and are given all the same.
MAX_OPTIONAL = 4
# Of one that is given only to see more of the model, so many values are tried.
MAX_FILLING = 6


class Guess(NamedTuple):
    """One value for one parameter."""

    text: str
    value: Any


def resized(guess: Guess, shape: tuple[int, ...], wanted: tuple[int, ...]) -> Guess | None:
    """A guess with tensors of one shape, made with another shape; None for a guess that is not written by its shape."""
    torch: Any = sys.modules["torch"]
    text = guess.text.replace(", ".join(map(str, shape)), ", ".join(map(str, wanted)))
    value = eval(text, {"torch": torch})
    tensors = [leaf for leaf in torch.utils._pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]
    return Guess(text, value) if all(tuple(tensor.shape) == wanted for tensor in tensors) else None


class Sizes:
    """The sizes that the model's layers and attributes speak of, the first met first."""

    def __init__(self, model: Any) -> None:
        self.last: list[int] = []
        self.channels: list[int] = []
        self.vocabulary = 0
        self.sides: list[int] = []
        """Of images, sounds and films: what the model itself speaks of, what errors ask for, then a small one."""
        self.maps: set[str] = set()
        """Parameters that were asked for their keys: they want a dict."""
        self.keys: list[str] = []
        """The keys that dicts were asked for."""
        self.dimensions: list[int] = []
        """The ranks that convolutions want."""
        torch: Any = sys.modules["torch"]
        for module in model.modules():
            kind = type(module).__name__
            if isinstance(module, torch.nn.Embedding):
                self.vocabulary = min(self.vocabulary or module.num_embeddings, module.num_embeddings)
                self._add(self.last, module.embedding_dim)
            elif kind.startswith("Conv") and hasattr(module, "in_channels") and hasattr(module, "kernel_size"):
                self._add(self.channels, module.in_channels)
                self._add(self.dimensions, len(module.kernel_size) + 2)
            elif isinstance(module, torch.nn.Linear):
                self._add(self.last, module.in_features)
            elif isinstance(module, (torch.nn.BatchNorm1d, torch.nn.BatchNorm2d, torch.nn.BatchNorm3d)):
                self._add(self.channels, module.num_features)
                self._add(self.dimensions, 2 + int(kind[-2]) if kind[-2:] in ("1d", "2d", "3d") else 4)
            elif isinstance(module, torch.nn.GroupNorm):
                self._add(self.channels, module.num_channels)
            elif isinstance(module, torch.nn.LayerNorm):
                self._add(self.last, module.normalized_shape[-1])
            elif isinstance(module, torch.nn.RNNBase):
                self._add(self.last, module.input_size)
        self._read(vars(model))
        if hasattr(vars(model).get("config"), "__dict__"):
            self._read(vars(model.config))
        for _, parameter in model.named_parameters():
            if not torch.nn.parameter.is_lazy(parameter) and parameter.dim():
                self._add(self.last, int(parameter.shape[-1]))
        self._add(self.last, 16)
        self.channels += [size for size in (3, 16) if size not in self.channels]
        self.sides.append(SIDE)

    def _read(self, attributes: dict[str, Any]) -> None:
        """The sizes that a model, or the configuration that it keeps, says by name."""
        for name, value in attributes.items():
            if isinstance(value, int) and not isinstance(value, bool) and 1 < value <= 4096:
                if re.search(r"image|img|resol|(spatial|input|crop)_size$|^size$", name):
                    self._add(self.sides, value)
                if re.search(r"chan", name):
                    self._add(self.channels, value)
                if re.search(r"dim|size|features|width|d_model|hidden", name):
                    self._add(self.last, value)

    @property
    def image(self) -> int:
        """The side of an image, the likeliest."""
        return self.sides[0]

    @staticmethod
    def _add(sizes: list[int], size: int) -> None:
        if size not in sizes and 0 < size <= 8192 and len(sizes) < 6:
            sizes.append(size)


def _randn(*shape: int) -> Guess:
    torch: Any = sys.modules["torch"]
    return Guess(f"torch.randn({', '.join(map(str, shape))})", torch.randn(shape))


def _ints(high: int, *shape: int) -> Guess:
    torch: Any = sys.modules["torch"]
    inner = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    return Guess(f"torch.randint(0, {high}, ({inner}))", torch.randint(0, high, shape))


def _true(*shape: int) -> Guess:
    torch: Any = sys.modules["torch"]
    inner = ", ".join(map(str, shape))
    return Guess(f"torch.ones({inner}, dtype=torch.bool)", torch.ones(shape, dtype=torch.bool))


def _lengths() -> Guess:
    torch: Any = sys.modules["torch"]
    return Guess(f"torch.tensor([{LENGTH}, {LENGTH - 2}])", torch.tensor([LENGTH, LENGTH - 2]))


def _floats(sizes: Sizes) -> list[Guess]:
    side, channels = sizes.image, sizes.channels
    images = [_randn(BATCH, c, side, side) for c in channels[:4]]
    images += [_randn(BATCH, c, other, other) for other in sizes.sides[1:4] for c in channels[:2]]
    sounds = [_randn(BATCH, c, 2 * SIDE) for c in channels[:4]]
    sounds += [_randn(BATCH, c, other) for other in sizes.sides[1:4] for c in channels[:2]]
    films = [_randn(BATCH, c, 4, side, side) for c in channels[:2]]
    films += [
        _randn(BATCH, c, other, other, other)
        for other in sizes.sides[:3]
        if other <= LARGEST_CUBE
        for c in channels[:2]
    ]
    rows = [_randn(BATCH, LENGTH, size) for size in sizes.last]
    flat = [_randn(BATCH, size) for size in sizes.last]
    first = sizes.dimensions[0] if sizes.dimensions else 0
    spatial = {3: sounds, 4: images, 5: films}.get(first, [])
    found = [*spatial, *rows, *flat]
    for more in (images, sounds, films):
        found += [] if more is spatial else more[:4]
    found += [_randn(BATCH, 4, LENGTH, size) for size in sizes.last[:3]]
    found += [_randn(BATCH, LENGTH), _randn(BATCH), _randn(LENGTH, LENGTH), _randn(LENGTH, sizes.last[0])]
    found += [_randn(BATCH, side, side, c) for c in channels[:2]]
    found += [_randn(BATCH, 1, 1024), _randn(BATCH, 1024)]
    return found


def _maps(floats: list[Guess], keys: list[str]) -> list[Guess]:
    """Tensors by name: by the names that were asked for, or else any, as nets of several stages hand them on."""
    guesses: list[Guess] = []
    for guess in floats[:8]:
        ones = Guess(f"torch.ones({', '.join(map(str, guess.value.shape))})", guess.value.new_ones(guess.value.shape))
        items = {key: ones if "mask" in key else guess for key in keys or ("a", "b")}
        text = ", ".join(f"{key!r}: {item.text}" for key, item in items.items())
        guesses.append(Guess(f"{{{text}}}", {key: item.value.clone() for key, item in items.items()}))
    return guesses


def _lists(hint: Any, tensors: list[Guess]) -> list[Guess]:
    """Lists of two, of what their annotation says: tensors, numbers, or lists in their turn (`List[List[Tensor]]`)."""
    inner = next(iter(typing.get_args(hint)), None)
    if inner in (int, float):
        parts = [Guess("2", 2) if inner is int else Guess("0.5", 0.5)]
    elif typing.get_origin(inner) in (list, tuple, Sequence):
        parts = _lists(inner, tensors)
    else:
        parts = tensors
    return [Guess(f"[{part.text}, {part.text}]", [part.value, copy.deepcopy(part.value)]) for part in parts]


def candidates(parameter: inspect.Parameter, hint: Any, sizes: Sizes) -> list[Guess]:
    """Values for one parameter, the likeliest first."""
    name = parameter.name.lower()
    high = sizes.vocabulary or 2
    ids = [_ints(high, BATCH, LENGTH), _ints(high, BATCH), _ints(high, BATCH, LENGTH, 3), _ints(2, BATCH, LENGTH)]
    masks = [_true(BATCH, LENGTH), _true(LENGTH, LENGTH), _true(BATCH, 1, LENGTH, LENGTH)]
    numbers = [Guess(str(n), n) for n in (2, SIDE, LENGTH)]
    floats = _floats(sizes)
    kind = str(getattr(hint, "__name__", hint)).lower()
    if kind == "bool":
        return [Guess("False", False), Guess("True", True)]
    if kind == "int":
        return numbers
    if kind == "float":
        return [Guess("0.5", 0.5), Guess("1.0", 1.0)]
    if kind.startswith(("list", "sequence", "tuple", "typing.list", "typing.tuple")) or "list[" in kind:
        return [*_lists(hint, floats[:8]), *floats[:4]]
    if kind.startswith(("dict", "mapping", "ordereddict", "typing.dict")) or "dict[" in kind:
        return _maps(floats, sizes.keys)
    none = [Guess("None", None)] if "none" in kind or "optional" in kind else []
    said = str(hint)
    if "LongTensor" in said and "FloatTensor" not in said and "mask" not in name:
        return [*ids, *none, *floats]
    if re.search(r"^[hijklmnw]$|^(height|width|seq_len|length|size|num_\w+)$", name):
        return [*numbers, *floats, *ids]
    if re.search(r"mask", name):
        return [*none, *masks, _randn(LENGTH, LENGTH), *floats[:4]]
    if re.search(r"(len|lens|length|lengths)$", name):
        return [_lengths(), *numbers, *ids]
    if re.search(r"ids?$|tokens?|indices|index|idx|labels?|targets?|codes|words", name):
        return [*ids, *floats, *none]
    if re.search(r"^t$|time|step|sigma|noise_level|^lam", name):
        return [_randn(BATCH), _ints(SIDE, BATCH), *numbers, *floats]
    if sizes.vocabulary and not sizes.dimensions:
        return [*ids[:2], *floats, *none, *masks, *numbers]
    maps = _maps(floats, sizes.keys) if parameter.name in sizes.maps else []
    return [*maps, *floats, *ids, *none, *masks, *numbers]


class _Progress:
    """How far a call came: the number of torch functions that it finished."""

    def __init__(self) -> None:
        torch: Any = sys.modules["torch"]
        self.count = 0
        progress = self

        class Mode(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                result = function(*args, **(kwargs or {}))
                progress.count += 1
                return result

        self.mode: Any = Mode()


def _attempt(model: Any, guesses: dict[str, Guess]) -> tuple[int, str | None]:
    """Torch functions finished, and the error, None for none."""
    from .values import duplicate, seed

    torch: Any = sys.modules["torch"]
    progress = _Progress()
    kwargs = {name: duplicate(guess.value) for name, guess in guesses.items()}
    seed(0)
    try:
        with torch.no_grad(), progress.mode:
            model(**kwargs)
    except Exception as error:
        return progress.count, f"{type(error).__name__}: {describe(error)}"
    return progress.count, None


_SAID = (
    # the size of the last dimension that a matrix product wants
    (re.compile(r"cannot be multiplied \(\d+x\d+ and (\d+)x\d+\)"), "last"),
    (re.compile(r"expected input with shape \[\*, (\d+)\]"), "last"),
    (re.compile(r"[Ee]xpected (?:feature|last|embedding).*? (\d+)"), "last"),
    (re.compile(r"expecting embedding dimension of (\d+)"), "last"),
    (re.compile(r"input\.size\(-1\) must be equal to input_size\. Expected (\d+)"), "last"),
    (re.compile(r"must match the size of tensor b \((\d+)\) at non-singleton dimension"), "last"),
    (re.compile(r"to have (\d+) channels, but got"), "channels"),
    (re.compile(r"expected to have (\d+) channels"), "channels"),
    (re.compile(r"Expected size (\d+) but got size \d+ for tensor"), "side"),
    (re.compile(r"Expected size \d+ but got size (\d+) for tensor"), "side"),
    (re.compile(r"running_mean should contain \d+ elements not (\d+)"), "channels"),
)


_ASKED_FOR_KEYS = re.compile(
    r"'Tensor' object has no attribute '(keys|items)'|invalid data type 'str'|too many indices for tensor|values expected sparse tensor layout"
)
_KEY = re.compile(r"KeyError: '(\w+)'")
_TOO_SMALL = re.compile(
    r"too small|can't be greater than actual input|should be less than the corresponding input", re.IGNORECASE
)


def _learn(error: str, sizes: Sizes) -> bool:
    """Takes sizes out of an error message; whether any is news."""
    for pattern, what in _SAID:
        match = pattern.search(error)
        if match:
            size = int(match[1])
            if what == "side":
                return _another_side(size, sizes)
            known = sizes.last if what == "last" else sizes.channels
            if 0 < size <= 8192 and size not in known[:1]:
                fresh = size not in known
                if not fresh:
                    known.remove(size)
                known.insert(0, size)
                return fresh
    return False


def _another_side(size: int, sizes: Sizes) -> bool:
    """A second input may have to be bigger or smaller than the first, by what lies between them in the model."""
    if size in sizes.sides or not 1 < size <= LARGEST_SIDE:
        return False
    sizes.sides.insert(1, size)
    return True


def _bigger(sizes: Sizes) -> bool:
    """A net of many stages halves its input more often than a small one can be halved."""
    size = 2 * max(sizes.sides)
    if size > LARGEST_SIDE:
        return False
    sizes.sides.insert(0, size)
    return True


class SearchResult(NamedTuple):
    """How the search for inputs ended."""

    guesses: dict[str, Guess] | None
    """By the names of the parameters of `forward`; None if none were found in time."""
    nearest: str = ""
    """Of a search in vain: the call that came furthest, and what it raised."""


class _Search:
    """One parameter after the other is varied while the rest stays; what comes furthest is kept."""

    def __init__(self, model: Any, until: float, more: Collection[str] = ()) -> None:
        self.model = model
        self.until = until
        self.grown = False
        self.hints = _hints(model)
        self.wanted = [p for p in _parameters(model) if p.default is p.empty or p.name in more]
        self.sizes = Sizes(model)
        self.chosen = {p.name: self.candidates(p)[0] for p in self.wanted}
        self.best, self.error = _attempt(model, self.chosen)

    def candidates(self, parameter: inspect.Parameter) -> list[Guess]:
        """Values for one parameter, with all that was learned by now."""
        return candidates(parameter, self.hints.get(parameter.name, parameter.annotation), self.sizes)

    def trials(self) -> Iterator[dict[str, Guess]]:
        """Calls to try in one round."""
        yield from _together(self.wanted, self.hints, self.sizes)
        for parameter in self.wanted:
            for guess in self.candidates(parameter):
                yield {**self.chosen, parameter.name: guess}

    def run(self) -> SearchResult:
        """All rounds; sizes that an error message names are tried too."""
        if self.error is None:
            return SearchResult(self.chosen)
        for _ in range(ROUNDS):
            self.grown = False
            news = self.learn(self.error or "")
            while self.another_key():
                self.best, self.error = _attempt(self.model, self.chosen)
            if self.error is None:
                return SearchResult(self.chosen)
            improved = False
            for trial in self.trials():
                if time.monotonic() > self.until:
                    return SearchResult(None, self.nearest)
                score, problem = _attempt(self.model, trial)
                if problem is None:
                    return SearchResult(trial)
                news = self.learn(problem) or news
                if score > self.best:
                    self.best, self.error, self.chosen, improved = score, problem, trial, True
            if not improved and not news:
                break
        return SearchResult(None, self.nearest)

    def another_key(self) -> bool:
        """Whether the call asked a dict for a key that it does not have, and has been given it."""
        asked = _KEY.match(self.error or "")
        lacking = [name for name, guess in self.chosen.items() if isinstance(guess.value, dict)]
        if not asked or asked[1] in self.sizes.keys or not lacking:
            return False
        self.sizes.keys.append(asked[1])
        for parameter in self.wanted:
            if parameter.name in lacking:
                self.chosen[parameter.name] = next(g for g in self.candidates(parameter) if isinstance(g.value, dict))
        return True

    def learn(self, error: str) -> bool:
        """What an error says of the inputs; whether it is news."""
        if _ASKED_FOR_KEYS.search(error) and not self.sizes.maps:
            self.sizes.maps |= {parameter.name for parameter in self.wanted}
            if len(self.wanted) == 1:
                self.chosen = {p.name: self.candidates(p)[0] for p in self.wanted}
                self.best, self.error = _attempt(self.model, self.chosen)
            return True
        if _TOO_SMALL.search(error):
            # Once in a round: the calls of a round are all of the sizes that were known when it began.
            self.grown, before = True, self.grown
            return not before and _bigger(self.sizes)
        return _learn(error, self.sizes)

    @property
    def nearest(self) -> str:
        """The call that came furthest, and what it raised."""
        chosen = ", ".join(f"{name}={guess.text}" for name, guess in self.chosen.items())
        return f"forward({chosen}) raises {(self.error or '').strip().splitlines()[0][:200]}"


def find(model: Any, until: float) -> SearchResult:
    """Inputs that the model takes: those that it must be given, then also those whose absence it complains of."""
    more: list[str] = []
    while True:
        search = _Search(model, until, more)
        found = search.run()
        if found.guesses is not None or len(more) == MAX_OPTIONAL or time.monotonic() > until:
            return found
        name = _missed(model, search, more)
        if not name:
            return found
        more.append(name)


# What a tensor that may be left out is called where no annotation says it.
_TENSORS = re.compile(
    r"mask|(^|_)ids$|labels?$|targets?$|len(gth)?s$|^(context|memory|cond|pos|bias|edge_(weight|attr)|batch)$"
)


def filled(model: Any, guesses: dict[str, Guess], until: float) -> dict[str, Guess]:
    """The inputs that were found, and with them each tensor whose default is None, where the model takes one."""
    hints, sizes, found = _hints(model), Sizes(model), dict(guesses)
    for parameter in _parameters(model):
        hint = hints.get(parameter.name, parameter.annotation)
        bare = hint is parameter.empty or isinstance(hint, str)
        tensor = _TENSORS.search(parameter.name) if bare else "Tensor" in str(hint)
        if parameter.default is not None or parameter.name in found or not tensor:
            continue
        choices = [guess for guess in candidates(parameter, hint, sizes) if guess.value is not None]
        for guess in choices[:MAX_FILLING]:
            if time.monotonic() > until:
                return found
            if _attempt(model, {**found, parameter.name: guess})[1] is None:
                found[parameter.name] = guess
                break
    # In the order of the parameters, as they would be written.
    return {parameter.name: found[parameter.name] for parameter in _parameters(model) if parameter.name in found}


def _parameters(model: Any) -> list[inspect.Parameter]:
    kinds = (
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.KEYWORD_ONLY,
        inspect.Parameter.POSITIONAL_ONLY,
    )
    return [p for p in inspect.signature(model.forward).parameters.values() if p.kind in kinds]


def _missed(model: Any, search: _Search, given: list[str]) -> str:
    """The next parameter to give though its default is None: one that the error names, or the first of a model that
    asks for nothing."""
    unset = [p.name for p in _parameters(model) if p.default is None and p.name not in given]
    words = re.findall(r"\w+", search.error or "")
    named = [name for name in words if name in unset and (len(name) > 3 or not search.wanted)]
    return next(iter(named), "" if search.wanted or not unset else unset[0])


def _together(wanted: list[inspect.Parameter], hints: dict[str, Any], sizes: Sizes) -> Iterator[dict[str, Guess]]:
    """All tensors of one shape: queries, keys and values; two branches of one net."""
    if len(wanted) < 2:
        return
    lists = {p.name: candidates(p, hints.get(p.name, p.annotation), sizes) for p in wanted}
    for guess in [*_floats(sizes)[:12], Guess(str(LENGTH), LENGTH)]:
        yield {
            name: guess if any(guess.text == other.text for other in guesses) else guesses[0]
            for name, guesses in lists.items()
        }


def _hints(model: Any) -> dict[str, Any]:
    import typing

    try:
        return typing.get_type_hints(type(model).forward)
    except Exception:
        return {}
