"""The last input source: a model and inputs that nobody wrote down."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import functools
import inspect
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from . import examples, guess_constructor, guess_inputs, shapes, values
from .stack import describe

# Time for all attempts together, and the share of the job's time that they may take at most. Models that take longer are big,
# and bigger inputs would not help.
BUDGET = 20.0
SHARE = 1 / 3
MAX_MODELS = 8
MAX_OF_A_SIZE = 4


def make(module: ModuleType, message: dict[str, Any], input_source: dict[str, Any]) -> examples.Example:
    """An example by guessing; the guesses are in `description`, so that they can be shown and written down.

    Of the job, `target` says for what, `train` in which mode, and `every_input` that tensors which may be left out are given
    where the model takes them.

    Raises:
        NoInputs: no guess was taken by the model within the budget.
    """
    target = message["target"]
    until = time.monotonic() + min(BUDGET, SHARE * float(message["timeout"]))
    built = 0
    nearest = ""
    complaints: list[str] = []
    for model, constructor in itertools.islice(_models(module, target, input_source, until, complaints), MAX_MODELS):
        built += 1
        model.train(bool(message.get("train")))
        fresh = _fresh(model)
        try:
            found = guess_inputs.find(model, until)
        except (TypeError, ValueError) as error:
            nearest = nearest or describe(error)
            continue
        if found.guesses is not None:
            given = guess_inputs.filled(model, found.guesses, until) if message.get("every_input") else found.guesses
            return InferredExample(module, target, input_source, constructor, fresh or model, given)
        nearest = nearest or found.nearest
        if time.monotonic() > until:
            break
    name = target["name"]
    if not built:
        why = f" ({_line(complaints[0])})" if complaints else ""
        raise examples.NoInputs(
            f"no example inputs, and the constructor arguments of {name} cannot be inferred{why}. "
            f"Write them above the class: # exportdb: constructor={name}(…) args=(…)"
        )
    raise examples.NoInputs(
        f"no example inputs, and none can be inferred{f' ({_line(nearest)})' if nearest else ''}. "
        f"Write them above the class: # exportdb: args=(…)"
    )


def _fresh(model: Any) -> Any:
    """A copy of a model that no attempt has called: what calls leave in it, the first export shall not find. None where there is
    none, or where the layers get their sizes from a call."""
    torch: Any = sys.modules["torch"]
    if any(torch.nn.parameter.is_lazy(one) for one in (*model.parameters(), *model.buffers())):
        return None
    try:
        return examples.copied(model)
    except Exception:
        return None


def _line(text: str) -> str:
    line = (text.strip().splitlines() or [""])[0]
    return line if len(line) <= 300 else line[:297] + "..."


def _models(
    module: ModuleType, target: dict[str, Any], input_source: dict[str, Any], until: float, complaints: list[str]
) -> Iterator[tuple[Any, str]]:
    given = input_source.get("constructor") or input_source.get("model")
    if given:
        yield examples.build(module, target, input_source), given
        return
    torch: Any = sys.modules["torch"]
    thing = examples.look_up(vars(module), target["name"])
    if not inspect.isclass(thing):
        yield examples.as_module(thing), target["name"]
        return
    if not issubclass(thing, torch.nn.Module):
        raise examples.NoInputs(f"{target['name']} is not an nn.Module, which torch.export requires")
    seen: set[str] = set()
    for dim in (16, 32, 64):
        made_so = guess_constructor.instances(
            thing, target["name"], dict(vars(module)), dim, until=until, complaints=complaints
        )
        for made, text in itertools.islice(made_so, MAX_OF_A_SIZE):
            if text in seen:
                break  # the size plays no part in it
            seen.add(text)
            yield made, text


class InferredExample(examples.Example):
    """A model and inputs that were guessed."""

    def __init__(
        self,
        module: ModuleType,
        target: dict[str, Any],
        input_source: dict[str, Any],
        constructor: str,
        model: Any,
        found: dict[str, guess_inputs.Guess],
    ) -> None:
        parameters = inspect.signature(model.forward).parameters
        leading = itertools.takewhile(lambda p: p.name in found and p.kind is not p.KEYWORD_ONLY, parameters.values())
        positional = [parameter.name for parameter in leading]
        named = [name for name in found if name not in positional]
        description = {
            "source": input_source["source"],
            "args": "({}{})".format(", ".join(found[n].text for n in positional), "," if len(positional) == 1 else ""),
            "kwargs": "{" + ", ".join(f"{n!r}: {found[n].text}" for n in named) + "}" if named else "",
            "dynamic_shapes": input_source.get("dynamic_shapes", ""),
            "constructor": "" if constructor == target["name"] + "()" else constructor,
            "place": input_source.get("place", ""),
        }
        spec = examples.dynamic_shapes_of(module, input_source)
        # One guess may serve several parameters. Two inputs that are one tensor would be one input to export.
        args = tuple(values.duplicate(found[n].value) for n in positional)
        kwargs = {n: values.duplicate(found[n].value) for n in named}
        values.seed(0)
        super().__init__(lambda: model, args, kwargs, spec, description, as_given=False, extra=[])
        self._guesses = found
        self._with: Callable[[dict[str, guess_inputs.Guess]], InferredExample] = functools.partial(
            InferredExample, module, target, input_source, constructor, model
        )

    def at(self, sizes: dict[tuple[int, int], int]) -> InferredExample | None:
        """The example with other sizes of its tensors, by position and axis; None where the guesses cannot be written so."""
        resized = dict(self._guesses)
        for leaf in shapes.leaves(self.model, self.args, self.kwargs):
            shape: tuple[int, ...] = tuple(leaf.tensor.shape)
            wanted = tuple(sizes.get((leaf.position, axis), size) for axis, size in enumerate(shape))
            if wanted != shape:
                other = guess_inputs.resized(self._guesses[leaf.name], shape, wanted)
                if other is None:
                    return None
                resized[leaf.name] = other
        return self._with(resized)
