"""Arguments for a constructor that nobody wrote a call of: from annotations, defaults, names."""

# torch publishes partial types only, and the arguments of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import collections.abc
import copy
import enum
import inspect
import itertools
import re
import sys
import time
import typing
from collections.abc import Callable, Iterator
from typing import Any

from .guess_words import Choice, Words, classes_with, fits, options
from .stack import describe

MAX_ATTEMPTS = 80
FEW_ATTEMPTS = 4
MAX_OTHERS = 4
# Parameters of a model that is tried with small sizes before those of its constructor's defaults.
LARGE = 5_000_000
DEEPEST = 3

# What a name says about a whole number, the more special first. Sizes are small and divide each other.
_NUMBERS: tuple[tuple[str, int], ...] = (
    (r"(^|_)(n_?)?heads?$|num_attention|nhead", 4),
    (r"(head|key|query|value)_?dim|dim_head|d_head|d_k$|d_v$", 8),
    (r"depth|layers?$|blocks?$|stages?$|num_(res|down|up)", 2),
    (r"kernel", 3),
    (r"stride|dilation|groups?$|expansion|multiple|scale_factor|upscale", 1),
    (r"pad(ding)?$", 1),
    (r"patch", 4),
    (r"^(spatial|n|num)_?dims?$|^ndim|^dimensions?$", 2),
    (r"(image|img|input|window)_?(size|height|width|res)|resolution|^(height|width|size)$", 16),
    (r"vocab|num_(tokens|embeddings|words)|codebook_size|n_embed", 32),
    (r"class(es)?$|labels?$|outputs?$|out_dim", 8),
    (r"^(n|num)_?(time_?)?steps$|^(seq|sequence)_?len(gth)?$", 8),
    (r"(max_?)?(seq|sequence|block|context|time)_?(len|length|size)|max_len|max_position|num_positions", 16),
    (r"experts?$|codebooks?|quantizers?|slots?|queries|levels?$|num_", 4),
    (r"top_?k|^k$", 2),
    (r"frames?|(num|n)_?frames", 4),
    (r"(^|_)(in|input|image|img|audio)_?(chan|ch|planes)|^channels$|^c_in$", 16),
)
_FLOATS = re.compile(r"drop|rate|prob|^p$|(^|_)eps|alpha|beta|gamma|momentum|decay|temperature|scale|ratio|std|init|lr")
_FLAGS = re.compile(
    r"^(pretrained|download|use|is|has|with|enable|return|causal|bias|affine|flash|learn)|_(bias|only|norm)$|bias$|bidirectional"
)
_MODULES = re.compile(
    r"^(fn|module|net|encoder|decoder|backbone|layer|block|model|act|activation|transformer|to_.*)$|_fn$"
)
_LIKELY_UNSET = re.compile(r"dim|size|depth|channels|features|hidden|heads|width|layers")
_CONFIGURATION = re.compile(r"^(\w+_)?(config|cfg|configuration)$")
_CLASSES = re.compile(r"(norm|act|activation|block|conv|layer)_?(layer|cls|class|type)$|^(norm|act|conv)_layer$")


def by_name(name: str, dim: int) -> list[tuple[Any, str]]:
    """Values for a parameter without annotation, the likeliest first."""
    torch: Any = sys.modules["torch"]
    name = name.lower()
    if _FLAGS.search(name):
        return [(False, "False"), (True, "True")]
    if _CLASSES.search(name):
        return [
            (torch.nn.LayerNorm, "nn.LayerNorm"),
            (torch.nn.ReLU, "nn.ReLU"),
            (torch.nn.BatchNorm2d, "nn.BatchNorm2d"),
        ]
    for pattern, number in _NUMBERS:
        if re.search(pattern, name):
            return [(number, str(number)), (dim, str(dim)), ((number, number), str((number, number)))]
    if _FLOATS.search(name):
        return [(0.1, "0.1"), (1, "1")]
    if _MODULES.search(name):
        return [
            (torch.nn.Identity(), "nn.Identity()"),
            (torch.nn.Linear(dim, dim), f"nn.Linear({dim}, {dim})"),
            (dim, str(dim)),
        ]
    return [(dim, str(dim)), (torch.nn.Identity(), "nn.Identity()"), (None, "None"), ([dim, dim], str([dim, dim]))]


def by_annotation(
    kind: Any, name: str, dim: int, depth: int, namespace: dict[str, Any]
) -> list[tuple[Any, str]] | None:
    """Values for an annotation; None where it says nothing."""
    torch: Any = sys.modules["torch"]
    if isinstance(kind, str) or kind is Any or kind is inspect.Parameter.empty:
        return None
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is None or kind is type(None):
        return [(None, "None")]
    if origin is typing.Union or type(kind).__name__ == "UnionType":
        found: list[tuple[Any, str]] = []
        for argument in arguments:
            found += by_annotation(argument, name, dim, depth, namespace) or []
        return [*[one for one in found if one[0] is not None], *[one for one in found if one[0] is None]] or None
    if origin is getattr(typing, "Literal", None):
        return [(value, repr(value)) for value in arguments]
    if origin in (list, collections.abc.Sequence, tuple, collections.abc.Iterable) or kind in (list, tuple):
        return _sequence(origin or kind, arguments, name, dim, depth, namespace)
    if origin is collections.abc.Callable or kind in (Callable, collections.abc.Callable):
        return [
            (torch.nn.Identity(), "nn.Identity()"),
            (torch.nn.ReLU, "nn.ReLU"),
            (torch.nn.LayerNorm, "nn.LayerNorm"),
        ]
    if origin is type:
        return [(torch.nn.LayerNorm, "nn.LayerNorm"), (torch.nn.ReLU, "nn.ReLU")]
    if origin is dict or kind is dict:
        return [({}, "{}")]
    return _plain(kind, name, dim, depth, namespace) if inspect.isclass(kind) else None


def _plain(kind: Any, name: str, dim: int, depth: int, namespace: dict[str, Any]) -> list[tuple[Any, str]] | None:
    torch: Any = sys.modules["torch"]
    if kind is bool:
        return [(False, "False"), (True, "True")]
    if kind is int:
        named = [(v, t) for v, t in by_name(name, dim) if isinstance(v, int) and not isinstance(v, bool)]
        return list(dict.fromkeys([*named, (dim, str(dim)), (1, "1"), (2 * dim, str(2 * dim))]))
    if kind is float:
        return [(0.1, "0.1"), (1.0, "1.0"), (0.0, "0.0")]
    if kind is str:
        return [("relu", "'relu'"), ("mean", "'mean'"), ("layer", "'layer'"), ("", "''")]
    if kind is torch.device or kind is torch.dtype:
        return (
            [(torch.device("cpu"), "torch.device('cpu')")]
            if kind is torch.device
            else [(torch.float32, "torch.float32")]
        )
    if kind is torch.Tensor:
        return [(torch.randn(dim), f"torch.randn({dim})"), (torch.randn(dim, dim), f"torch.randn({dim}, {dim})")]
    if kind is torch.nn.Module:
        return [(torch.nn.Identity(), "nn.Identity()"), (torch.nn.Linear(dim, dim), f"nn.Linear({dim}, {dim})")]
    if issubclass(kind, enum.Enum):
        return [(member, f"{kind.__name__}.{member.name}") for member in kind]
    if depth < DEEPEST and kind.__module__ != "builtins":
        # A configuration that can be made may still fit no model.
        most = 4 if kind.__name__.endswith("Config") else 1
        return (
            list(itertools.islice(instances(kind, _spelled(kind, namespace), namespace, dim, depth + 1), most)) or None
        )
    return None


def _spelled(kind: Any, namespace: dict[str, Any]) -> str:
    """A class as it can be written in the module, imported on the spot where the module does not know it."""
    if namespace.get(kind.__name__) is kind:
        return kind.__name__
    return f"__import__('importlib').import_module({kind.__module__!r}).{kind.__qualname__}"


def _sequence(
    kind: Any, arguments: tuple[Any, ...], name: str, dim: int, depth: int, namespace: dict[str, Any]
) -> list[tuple[Any, str]]:
    inner = [argument for argument in arguments if argument is not Ellipsis] or [int]
    fixed = kind is tuple and Ellipsis not in arguments and len(arguments) > 0
    items = [(by_annotation(one, name, dim, depth, namespace) or by_name(name, dim))[0] for one in inner]
    items = items if fixed else [items[0]] * 2
    # Two modules of one list are two objects, as they are in the text.
    values, text = [copy.deepcopy(value) for value, _ in items], ", ".join(text for _, text in items)
    if kind is tuple:
        return [(tuple(values), f"({text}{',' if len(items) == 1 else ''})")]
    return [(values, f"[{text}]")]


def instances(
    kind: Any,
    called: str,
    namespace: dict[str, Any],
    dim: int = 16,
    depth: int = 0,
    until: float | None = None,
    complaints: list[str] | None = None,
) -> Iterator[Choice]:
    """Instances of a class with the text that makes them; nothing where no attempt succeeds.

    `complaints` gets what the attempts that failed raised, the likeliest attempt first.
    """
    complaints = [] if complaints is None else complaints
    try:
        parameters = list(inspect.signature(kind).parameters.values())
    except (TypeError, ValueError):
        return
    hints = _hints(kind)
    wanted = [
        p
        for p in parameters
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    small = _shrunk(kind, parameters, namespace) if not wanted and _is_large(kind) else []
    for extra in small:
        yield from _try(kind, called, [], (), extra, complaints)
    words = Words(kind) if depth == 0 else None
    for chosen, most in _selections(parameters, wanted, complaints):
        choices = [
            _choices(p, hints.get(p.name, p.annotation), p in wanted, dim, depth, namespace, words) for p in chosen
        ]
        worded = [fits("", hints.get(p.name, p.annotation)) for p in chosen]
        for attempt in _attempts(choices, worded, most, complaints):
            if until is not None and time.monotonic() > until:
                return
            yield from _try(kind, called, chosen, attempt, {}, complaints)
    if depth == 0:
        known = [_choices(p, hints.get(p.name, p.annotation), True, dim, depth, namespace, words) for p in wanted]
        for attempt in _around_others(kind, known, namespace, dim, complaints, until):
            yield from _try(kind, called, wanted, attempt, {}, complaints)


_LACKS = re.compile(r"'(?:Identity|Linear)' object has no attribute '(\w+)'")


def _around_others(
    kind: Any,
    choices: list[list[Choice]],
    namespace: dict[str, Any],
    dim: int,
    complaints: list[str],
    until: float | None,
) -> Iterator[list[Choice]]:
    """Arguments for a module around another one, which was asked for something that only its package's own have."""
    attribute = next((match[1] for text in complaints if (match := _LACKS.search(text))), "")
    if not attribute:
        return
    for other in itertools.islice(classes_with(kind, attribute), MAX_OTHERS):
        made = next(instances(other, _spelled(other, namespace), namespace, dim, 1, until), None)
        if made is not None:
            replaced = [[made] if any(text == "nn.Identity()" for _, text in known) else known[:3] for known in choices]
            for picked in _orders(replaced, 2 * FEW_ATTEMPTS):
                yield [replaced[i][j] for i, j in enumerate(picked)]


def _choices(
    parameter: inspect.Parameter,
    hint: Any,
    wanted: bool,
    dim: int,
    depth: int,
    namespace: dict[str, Any],
    words: Words | None,
) -> list[Choice]:
    """Values for one parameter, the likeliest first."""
    found = by_annotation(hint, parameter.name, dim, depth, namespace)
    if found is None and _CONFIGURATION.search(parameter.name):
        found = _configurations(namespace, dim, depth)
    given = [one for one in found or [] if one[0] is not None or wanted]
    likely = given or by_name(parameter.name, dim)
    said, numbers = words.of(parameter.name, hint) if words is not None else ([], [])
    named = [one for one in said if isinstance(one[0], str)]
    others = [one for one in said if not isinstance(one[0], str)]
    # Small sizes that fit each other do better than those that somebody else's model has: only words come first.
    merged = [*named[:3], *likely[:4], *others[:2], *numbers[:2]]
    texts = [text for _, text in merged]
    return [one for i, one in enumerate(merged) if one[1] not in texts[:i]]


def _configurations(namespace: dict[str, Any], dim: int, depth: int) -> list[Choice] | None:
    """Configurations of the classes that the module knows, for a parameter that says no more than its name."""
    kinds = [kind for kind in namespace.values() if inspect.isclass(kind) and kind.__name__.endswith("Config")]
    # A base class of others is made for none of them.
    kinds = [kind for kind in kinds if not any(other is not kind and issubclass(other, kind) for other in kinds)]
    found: list[Choice] = []
    for kind in kinds[:MAX_OTHERS]:
        found += _plain(kind, "", dim, depth, namespace) or []
    return found or None


def _attempts(
    choices: list[list[Choice]], worded: list[bool], most: int, complaints: list[str]
) -> Iterator[list[Choice]]:
    """Combinations, the likeliest first; then once more with the words that the errors on the way spoke of.

    `worded` are the parameters that may be strings.
    """
    before = len(complaints)
    for picked in _orders(choices, most):
        yield [choices[i][j] for i, j in enumerate(picked)]
    named = options([complaint.partition(" raises ")[2] for complaint in complaints[before:]])
    if named:
        taught = [[*named, *known] if may else known[:2] for known, may in zip(choices, worded)]
        if any(worded):
            for picked in _orders(taught, most // 2):
                yield [taught[i][j] for i, j in enumerate(picked)]


_MISSING = re.compile(r"missing \d+ required (?:keyword-only |positional )?arguments?: (.+)")


def _selections(
    parameters: list[inspect.Parameter], wanted: list[inspect.Parameter], complaints: list[str]
) -> Iterator[tuple[list[inspect.Parameter], int]]:
    """Parameters to give, and how many attempts they are worth.

    First those that must be given, then those with one or two more that are None by default.

    `def __init__(self, dim=None, codebook_size=None)` with an assertion in its body wants them as much. What goes
    through `**kwargs` to a class within is known by the error that it is missing.
    """
    yield wanted, MAX_ATTEMPTS
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        missing = next((match[1] for text in complaints if (match := _MISSING.search(text))), "")
        within = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in re.findall(r"'(\w+)'", missing)]
        if within:
            yield [*wanted, *within], MAX_ATTEMPTS // 2
    unset = [p for p in parameters if p.default is None and p.kind is not p.POSITIONAL_ONLY]
    unset.sort(key=lambda p: not _LIKELY_UNSET.search(p.name))
    for one in unset[:8]:
        yield [*wanted, one], FEW_ATTEMPTS
    for pair in itertools.combinations(unset[:5], 2):
        yield [*wanted, *pair], FEW_ATTEMPTS
    if len(unset) > 2:
        yield [*wanted, *unset[:3]], FEW_ATTEMPTS


def _orders(choices: list[list[Choice]], most: int) -> list[tuple[int, ...]]:
    """The likeliest of all first, then those that change one choice, then two."""
    picks = itertools.islice(itertools.product(*[range(len(c)) for c in choices]), 4000)
    return sorted(picks, key=lambda t: (sum(i > 0 for i in t), sum(t)))[:most]


# The numbers of layers of a configuration: an encoder and a decoder have one each.
_DEPTHS = r"(^|_)(layers?|n_layer|depths?)$"
# The sizes of a configuration of a model, and those of a small one that fit each other.
_TINY: tuple[tuple[str, int], ...] = (
    (r"head_dim$|d_kv$", 8),
    (r"(^|_)(num|n)_?(\w+_)?heads?$|attention_heads$|^n_head$", 4),
    (r"(^|_)(intermediate|ffn|inner|feed_forward|feedforward)(_\w+)?$|(^|_)d_ff$|ffn_dim$", 64),
    (r"(hidden_size|d_model|embed_dim|n_embd|embedding_size|hidden_dim|projection_dim)$", 32),
    (r"max_position_embeddings$|^n_positions$|^max_(source|target)_positions$", 64),
    (r"num_queries$", 8),
    (r"experts$", 4),
)
_VOCABULARY = 128


def _shrunk(kind: Any, parameters: list[inspect.Parameter], namespace: dict[str, Any]) -> list[dict[str, Choice]]:
    """Arguments that make a big model, or the configuration of one, small: all its sizes, then all but its depth (what counts its
    layers by hand stays right), then its depth alone."""
    sizes = {p.name: p.default for p in parameters if type(p.default) is int}
    deep = {name: 2 for name, size in sizes.items() if size > 2 and re.search(_DEPTHS, name)}
    deep |= {
        p.name: type(p.default)(1 for _ in p.default)
        for p in parameters
        if isinstance(p.default, (list, tuple))
        and re.search(_DEPTHS, p.name)
        and all(type(n) is int for n in p.default)
    }
    narrow = {
        name: small
        for name, size in sizes.items()
        if name not in deep and (small := next((n for pattern, n in _TINY if re.search(pattern, name)), size)) < size
    }
    patch = sizes.get("patch_size", 0)
    if sizes.get("image_size", 0) > 2 * patch > 0:
        narrow["image_size"] = 2 * patch
    if sizes.get("vocab_size", 0) > _VOCABULARY:
        tokens = [name for name, size in sizes.items() if name.endswith("_token_id") and size >= _VOCABULARY]
        narrow.update(dict.fromkeys(tokens, 1), vocab_size=_VOCABULARY)
    if any(p.name == "use_cache" and p.default is True for p in parameters):
        # What generation keeps between calls is an object that no program can return.
        narrow["use_cache"] = False
    parts = _small_parts(kind, parameters, namespace)
    ways = [{**narrow, **deep}, narrow, deep]
    written = [{**{name: (value, repr(value)) for name, value in way.items()}, **parts} for way in ways]
    return [way for number, way in enumerate(written) if way and way not in written[:number]]


def _is_large(kind: Any) -> bool:
    """Whether a class that asks for no argument makes a model that takes long, or the configuration of one."""
    torch: Any = sys.modules["torch"]
    if kind.__name__.endswith("Config"):
        return True
    try:
        return issubclass(kind, torch.nn.Module) and sum(p.numel() for p in kind().parameters()) > LARGE
    except Exception:
        return False


def _small_parts(kind: Any, parameters: list[inspect.Parameter], namespace: dict[str, Any]) -> dict[str, Choice]:
    """The configurations that a configuration makes for itself where it is given none: small ones of the same classes."""
    unset = [p.name for p in parameters if p.default is None and _CONFIGURATION.search(p.name)]
    try:
        whole = kind() if unset else None
    except Exception:
        return {}
    parts: dict[str, Choice] = {}
    for name in unset:
        part = type(getattr(whole, name, None))
        if part.__name__.endswith("Config") and part is not kind:
            made = next(instances(part, _spelled(part, namespace), namespace, depth=DEEPEST), None)
            if made is not None:
                parts[name] = made
    return parts


def _try(
    kind: Any, called: str, wanted: Any, picked: Any, extra: dict[str, Choice], complaints: list[str]
) -> Iterator[Choice]:
    arguments = {parameter.name: value for parameter, (value, _) in zip(wanted, picked)}
    positional = [arguments.pop(p.name) for p in wanted if p.kind is p.POSITIONAL_ONLY]
    texts = [text if p.kind is p.POSITIONAL_ONLY else f"{p.name}={text}" for p, (_, text) in zip(wanted, picked)] + [
        f"{name}={text}" for name, (_, text) in extra.items()
    ]
    text = f"{called}({', '.join(texts)})"
    try:
        made = kind(*positional, **arguments, **{name: value for name, (value, _) in extra.items()})
    except Exception as error:
        complaints.append(f"{text} raises {type(error).__name__}: {describe(error)}")
        return
    yield made, text


def _hints(kind: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(kind.__init__)
    except Exception:
        return {}
