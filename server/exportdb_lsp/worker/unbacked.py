"""`ShapesSpec` of torch 2.14 and newer, as the dicts and lists of Dims that the rest of the worker knows.

What it declares are unbacked sizes (torch/fx/experimental/dynamic_spec.py): a `ShapeVar` has a name and a range as a Dim has,
and what is computed from one is a sympy expression instead of a derived Dim.
"""

# torch publishes partial types only.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from typing import Any

_MODULE = "torch.fx.experimental.dynamic_spec"
# Where its classes keep what they were given.
_CONTENTS = ("_params", "_named_args", "_entries", "_fields", "_specs")


def new_form() -> dict[str, Any]:
    """The classes of the new form by their names; none where torch does not have it."""
    try:
        from torch.fx.experimental import dynamic_spec
    except ImportError:
        return {}
    return {name: getattr(dynamic_spec, name) for name in dynamic_spec.__all__ if hasattr(dynamic_spec, name)}


def check_taken(spec: Any, torch: Any) -> None:
    """Raises NotImplementedError for a specification of the new form where export does not take it: torch 2.13 has the
    classes already."""
    if type(spec).__module__ != _MODULE:
        return
    release = str(torch.__version__).split(".")
    if [int(part) for part in release[:2]] < [2, 14]:
        raise NotImplementedError(
            f"torch {torch.__version__} does not take a {type(spec).__name__}: it needs torch 2.14"
        )


class UnbackedDim:
    """A size that is declared to be unbacked, with the attributes of a Dim; `fn` gives it for a size of its `root`."""

    def __init__(self, name: str, low: int | None, high: int | None, root: UnbackedDim | None = None, fn: Any = None):
        self.__name__ = name
        self.min, self.max = low, high
        if root is not None:
            self.root, self.fn = root, fn


def of_dims(spec: Any) -> Any:
    """A specification in which the new form's containers are dicts and lists, and its sizes are Dims."""
    if type(spec).__module__ == _MODULE and hasattr(spec, "_params") and spec._params is None:
        return {}
    made: dict[Any, UnbackedDim] = {}
    contents = _contents(spec)
    _variables(contents, made)
    return _sizes(contents, made)


def _contents(spec: Any) -> Any:
    if type(spec).__module__ == _MODULE:
        name = next((name for name in _CONTENTS if hasattr(spec, name)), None)
        return spec if name is None else _contents(getattr(spec, name))
    if isinstance(spec, dict):
        return {key: _contents(part) for key, part in spec.items()}
    return type(spec)(_contents(part) for part in spec) if type(spec) in (list, tuple) else spec


def _variables(spec: Any, made: dict[Any, UnbackedDim]) -> None:
    """The Dims for all variables of a specification, by their symbols."""
    if isinstance(spec, (dict, list, tuple)):
        for part in spec.values() if isinstance(spec, dict) else spec:
            _variables(part, made)
    elif type(spec).__module__ == _MODULE and hasattr(spec, "sympy_sym"):
        # Two variables may have one name.
        taken = sum(dim.__name__.partition("#")[0] == spec.name for dim in made.values())
        name = f"{spec.name}#{taken}" if taken and spec.sympy_sym not in made else spec.name
        made.setdefault(spec.sympy_sym, UnbackedDim(name, spec.min, spec.max))


def _sizes(spec: Any, made: dict[Any, UnbackedDim]) -> Any:
    if isinstance(spec, dict):
        return {key: _sizes(part, made) for key, part in spec.items()}
    if type(spec) in (list, tuple):
        return type(spec)(_sizes(part, made) for part in spec)
    expression = getattr(getattr(spec, "node", None), "expr", None)
    if expression is None or isinstance(spec, int):
        return spec
    if expression in made:
        return made[expression]
    symbols = [symbol for symbol in expression.free_symbols if symbol in made]
    if len(symbols) != 1 or len(expression.free_symbols) != 1:
        return None  # what it is follows from several others
    root, symbol = made[symbols[0]], symbols[0]
    name = str(expression).replace(str(symbol), root.__name__)

    def derived(size: int) -> int:
        return int(expression.subs(symbol, size))

    return UnbackedDim(name, None, None, root, derived)
