"""Turning the inputs that somebody wrote into a model and tensors."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import copy
import inspect
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any

from . import values
from .load import remember
from .stack import describe, shown
from .unbacked import new_form

_MODE_CHOSEN = re.compile(r"\.(eval|train)\(")


class NoInputs(Exception):
    """There is nothing to export, and the message says what is missing."""

    def __init__(self, message: str, row: int | None = None, filename: str = "") -> None:
        super().__init__(message)
        self.row = row
        self.filename = filename


def copied(model: Any) -> Any:
    """A copy of a model. What is scripted is the same in both: a copy of a ScriptModule exports where the module itself does not
    (measured on torch 2.13). A plain attribute that was computed from parameters, as `torch.nn.utils.weight_norm` keeps one, is
    copied without its history, which `copy.deepcopy` refuses."""
    torch: Any = sys.modules["torch"]
    memo: dict[int, Any] = {}
    for part in model.modules() if isinstance(model, torch.nn.Module) else ():
        if isinstance(part, torch.jit.ScriptModule):
            memo[id(part)] = part
        computed = [value for value in vars(part).values() if isinstance(value, torch.Tensor) and not value.is_leaf]
        memo |= {id(value): value.detach().clone() for value in computed}
    return copy.deepcopy(model, memo)


class Example:
    """A model, its inputs, and how to make them again."""

    def __init__(
        self,
        build: Callable[[], Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        dynamic_shapes: Any,
        description: dict[str, str],
        as_given: bool,
        extra: list[tuple[Any, ...]],
    ) -> None:
        self.build = build
        self.model = build()
        self.args = args
        self.kwargs = kwargs
        self.dynamic_shapes = dynamic_shapes
        self.description = description
        self.extra = extra
        """More inputs to compare on, of the sizes of `args`."""
        self.as_given = as_given
        """The model came in a training or eval mode that somebody chose."""
        self.shared = False
        """The model could not be copied: eager and export work on one object."""

    def another(self) -> Any:
        """A model like the first, that shares nothing with it."""
        try:
            return copied(self.model)
        except BaseException:
            pass
        try:
            again = self.build()
        except BaseException:
            again = self.model
        if again is self.model:
            self.shared = True
        else:
            again.train(self.model.training)
            again.load_state_dict(self.model.state_dict(), strict=False)
        return again


def evaluate(expression: str, namespace: dict[str, Any], what: str, input_source: dict[str, Any]) -> Any:
    """The value of one piece of the inputs.

    Raises:
        NoInputs: it is not an expression, or evaluating it raised.
    """
    name = f"<{what} of the example inputs>"
    remember(name, expression)
    try:
        code = compile(expression.strip(), name, "eval")
        return eval(code, namespace)
    except BaseException as error:
        raise NoInputs(
            f"the {what} of the example inputs cannot be evaluated: {type(error).__name__}: {describe(error)}",
            input_source.get("row"),
            input_source.get("file", ""),
        ) from error


def make(module: ModuleType, target: dict[str, Any], input_source: dict[str, Any]) -> Example:
    """An example built from one input source.

    Raises:
        NoInputs: the input source gives none.
        BaseException: what the model's own constructor raises.
    """
    values.seed(0)
    namespace = _namespace(module, input_source)
    description = {
        key: input_source.get(key, "") for key in ("source", "args", "kwargs", "dynamic_shapes", "constructor", "place")
    }

    def build_again() -> Any:
        values.seed(0)
        return as_module(_model(namespace, target, input_source))

    values.seed(0)
    args = evaluate(input_source.get("args") or "()", namespace, "args", input_source)
    kwargs = evaluate(input_source.get("kwargs") or "{}", namespace, "kwargs", input_source)
    shapes_text = input_source.get("dynamic_shapes") or "None"
    dynamic_shapes = evaluate(shapes_text, namespace, "dynamic_shapes", input_source)
    extra = evaluate(input_source.get("extra") or "[]", namespace, "extra_inputs", input_source)
    # ExportDB's `extra_inputs` is a tuple, the arguments of one call; a list holds those of several.
    calls = extra if isinstance(extra, list) else ([extra] if extra else [])
    if not isinstance(args, tuple):
        args = tuple(args) if isinstance(args, list) else (args,)
    if not isinstance(kwargs, dict):
        raise NoInputs(
            f"kwargs of the example inputs is a {type(kwargs).__name__}, not a dict", input_source.get("row")
        )
    if input_source.get("description") == "values":
        description["args"] = written(args)
        description["kwargs"] = written(kwargs) if kwargs else ""
    # A call that trains nothing leaves the model in the mode in which it was built, because it does not matter there.
    as_given = bool(input_source.get("model")) and (
        not input_source.get("called") or bool(_MODE_CHOSEN.search(input_source["setup"]))
    )
    return Example(
        build_again,
        args,
        kwargs,
        dynamic_shapes,
        description,
        as_given,
        [one if isinstance(one, tuple) else (one,) for one in calls],
    )


def _namespace(module: ModuleType, input_source: dict[str, Any]) -> dict[str, Any]:
    """What the texts of an input source are evaluated in: the module's own names, over a few that everybody uses."""
    torch: Any = sys.modules["torch"]
    namespace: dict[str, Any] = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "Dim": torch.export.Dim}
    namespace.update(new_form())
    namespace.update(module.__dict__)
    if input_source.get("setup"):
        _prepare(input_source, namespace)
    return namespace


def build(module: ModuleType, target: dict[str, Any], input_source: dict[str, Any]) -> Any:
    """The model of an input source that says how to build it."""
    values.seed(0)
    return as_module(_model(_namespace(module, input_source), target, input_source))


def dynamic_shapes_of(module: ModuleType, input_source: dict[str, Any]) -> Any:
    """The `dynamic_shapes` of an input source, None where it has none."""
    return evaluate(
        input_source.get("dynamic_shapes") or "None", _namespace(module, input_source), "dynamic_shapes", input_source
    )


def _prepare(input_source: dict[str, Any], namespace: dict[str, Any]) -> None:
    name = input_source.get("file") or "<setup of the example inputs>"
    if input_source.get("package"):
        namespace["__package__"] = input_source["package"]
    try:
        exec(compile(input_source["setup"], name, "exec"), namespace)
    except BaseException as error:
        raise NoInputs(
            "the call at {} cannot be repeated: {}: {}".format(
                input_source.get("place"), type(error).__name__, describe(error)
            ),
            input_source.get("row"),
            input_source.get("file", ""),
        ) from error


def _model(namespace: dict[str, Any], target: dict[str, Any], input_source: dict[str, Any]) -> Any:
    if input_source.get("model"):
        return evaluate(input_source["model"], namespace, "model", input_source)
    if input_source.get("constructor"):
        text = input_source["constructor"]
        return _construct(lambda: eval(compile(text.strip(), "<constructor>", "eval"), namespace), target, text)
    thing = look_up(namespace, target["name"])
    if not inspect.isclass(thing):
        return thing
    return _construct(thing, target, "")


def look_up(namespace: dict[str, Any], name: str) -> Any:
    """What `Net` or `Outer.Net` is in the module.

    Raises:
        NoInputs: nothing, once the module has run.
    """
    first, *rest = name.split(".")
    try:
        thing = namespace[first]
        for part in rest:
            thing = getattr(thing, part)
    except (KeyError, AttributeError):
        raise NoInputs(f"{name} is not defined after running the module") from None
    return thing


def _construct(make_it: Callable[[], Any], target: dict[str, Any], text: str) -> Any:
    """Calls the constructor; a call with the wrong arguments is the inputs' fault, any other error the model's."""
    try:
        return make_it()
    except NameError as error:
        if text and error.__traceback__ is not None and _depth(error) <= 3:
            raise NoInputs(f"constructor={text} cannot be evaluated: {error}") from error
        raise
    except SyntaxError as error:
        if error.filename == "<constructor>":
            raise NoInputs(f"constructor={text} is not an expression: {error.msg}") from error
        raise
    except TypeError as error:
        if _depth(error) > 3:
            raise
        name = target["name"]
        raise NoInputs(
            "{} cannot be built as {}: {}. Specify: # exportdb: constructor={}(…)".format(
                name, text or name + "()", describe(error), name
            )
        ) from error


def _depth(error: BaseException) -> int:
    depth, traceback = 0, error.__traceback__
    while traceback is not None:
        depth += 1
        traceback = traceback.tb_next
    return depth


def as_module(thing: Any) -> Any:
    """The thing itself if it is a module, else a module around the function that it is.

    Raises:
        NoInputs: it is neither.
    """
    torch: Any = sys.modules["torch"]
    if isinstance(thing, torch.nn.Module):
        return thing
    if not callable(thing) or inspect.isclass(thing):
        raise NoInputs(f"a {type(thing).__name__} is not a model: torch.export requires an nn.Module")

    class Function(torch.nn.Module):
        """torch.export takes modules only: this is one around a function."""

        def forward(self, *args: Any, **kwargs: Any) -> Any:
            return thing(*args, **kwargs)

    # dynamic_shapes go by the names of the parameters; those of the wrapper would all be `args`.
    signature = inspect.signature(thing)
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    forward: Any = Function.forward
    forward.__signature__ = signature.replace(parameters=[own, *signature.parameters.values()])
    return Function()


def written(value: Any) -> str:
    """Inputs as source text, tensors by kind and shape."""
    torch: Any = sys.modules["torch"]
    if isinstance(value, torch.Tensor):
        return _tensor(value, torch)
    if isinstance(value, tuple):
        return "({}{})".format(", ".join(map(written, value)), "," if len(value) == 1 else "")
    if isinstance(value, list):
        return "[{}]".format(", ".join(map(written, value)))
    if type(value) is dict:
        return "{{{}}}".format(", ".join(f"{key!r}: {written(item)}" for key, item in value.items()))
    return shown(value, 200)


# Of how many numbers a tensor is written out one by one.
MAX_WRITTEN = 16


def _tensor(value: Any, torch: Any) -> str:
    """A tensor that can be pasted: the same one where it is short to say, else one of its kind and shape."""
    sizes = [int(size) for size in value.shape]
    shape = ", ".join(map(str, sizes))
    dtype = str(value.dtype)
    real = value.is_floating_point() or value.is_complex()
    usual = value.dtype in (torch.float32, torch.int64)
    kind = "" if usual else ", dtype=" + dtype
    with suppress(Exception):  # without values: fake, or on the meta device
        same = _same(value.detach().cpu(), torch, sizes, "" if value.dtype == torch.float32 else ", dtype=" + dtype)
        if same:
            return same
    if real:
        return "torch.randn({}{})".format(shape or "()", kind)
    if value.dtype == torch.bool:
        return "torch.rand({}) > 0.5".format(shape or "()")
    high = int(value.max()) + 1 if value.numel() else 1
    low = min(0, int(value.min())) if value.numel() else 0
    return "torch.randint({}, {}, ({}{}){})".format(low, high, shape, "," if value.dim() == 1 else "", kind)


def _same(value: Any, torch: Any, sizes: list[int], kind: str) -> str:
    """The expression that makes just this tensor; '' where it is long. `kind` is its dtype unless it is float32."""
    count = value.numel()
    real = value.is_floating_point()
    if value.is_complex() or not count or value.layout != torch.strided:
        return ""
    shape = ", ".join(map(str, sizes))
    first = value.reshape(-1)[0].item()
    if count > 1 and bool((value == first).all()):
        named = {0: "zeros", 1: "ones"}.get(first)
        return (
            f"torch.{named}({shape}{kind})"
            if named
            else f"torch.full(({shape}{',' * (len(sizes) == 1)}), {first!r}{kind})"
        )
    bare = "" if value.dtype in (torch.int64, torch.bool) else kind
    if len(sizes) == 1 and count > 1 and not real and value.tolist() == list(range(count)):
        return f"torch.arange({count}{bare})"
    return f"torch.tensor({value.tolist()!r}{bare})" if count <= (1 if real else MAX_WRITTEN) else ""


def names_of(model: Any, args: tuple[Any, ...]) -> list[str]:
    """The parameter that each positional input goes to."""
    try:
        parameters = list(inspect.signature(model.forward).parameters.values())
    except (TypeError, ValueError):
        return [str(i) for i in range(len(args))]
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return [names[i] if i < len(names) else str(i) for i in range(len(args))]
