"""A call of torch.export that a program is about to make, made on copies and run beside eager.

Everything is the call's own: the model object, the arguments, the dynamic shapes, the other options, and whatever
contexts are open around it. It is made a second time, in a copy of the process, so that the program is none the wiser.
"""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import time
from contextlib import nullcontext, suppress
from typing import Any

from . import compare, examples, goals, shapes, values
from .goals import onnx
from .job import Job, Stop, fails_in_tracing, quieten
from .program import Program, Runnable
from .stack import describe, shown
from .watcher import WatchedCall
from .wire import Message, Sender

LONGEST = 2000
"""Of a printed argument, in characters."""


class CallJob(Job):
    """One call, in one mode, for one goal. Nothing of it is description to the program."""

    def __init__(self, message: Message, reporter: Sender, call: WatchedCall) -> None:
        super().__init__(message, reporter)
        self.call = call

    def check_tools(self) -> None:
        """Where nobody but the call itself names a goal, its program can be judged without what the goal needs."""
        missing = goals.missing(self.message["goal"]) if self.message["implied"] and self.tool is not None else []
        if missing:
            self.send({"part": "unchecked", "missing": missing})
            self.tool = None
        super().check_tools()

    def run(self) -> None:
        """All stages; the call itself comes before what eager has to say, because it is the call that is judged."""
        self.versions()
        example = self.example("")
        self.stage("eager")
        inputs = (example.args, example.kwargs)
        # A model that cannot be copied is exported before anything else is done with it.
        own = example.model is self.call.model
        program, wanted = self.exported(example) if own else (None, {})
        eager = example.another()
        first = compare.call(eager, inputs, 100)
        if first.error is not None and not fails_in_tracing(first.error):
            self.send(
                {"part": "eager-raises", "exception": type(first.error).__name__, "detail": describe(first.error)}
            )
        if not own:
            program, wanted = self.exported(example)
        if first.error is not None:
            raise self.error("eager", first.error)
        if program is not None:
            self.compared_if_valued(example, eager, first, program, wanted)

    def example(self, text: str) -> examples.Example:
        """What the call was given."""
        call = self.call
        model = call.model
        with suppress(Exception):
            # Export may write to what it is given: eager works on copies that were made before.
            model = examples.copied(examples.as_module(model))
        args, kwargs = values.duplicate((call.args, call.kwargs))
        description = {
            "source": self.message.get("source", "call"),
            "args": examples.written(call.args),
            "kwargs": examples.written(call.kwargs) if call.kwargs else "",
            "dynamic_shapes": shown(call.dynamic_shapes, LONGEST) if call.dynamic_shapes is not None else "",
            "place": self.message["place"],
        }
        self.send(dict(description, part="inputs"))
        return examples.Example(lambda: model, args, kwargs, call.dynamic_shapes, description, as_given=True, extra=[])

    def exported(self, example: examples.Example) -> tuple[Any, dict[int, dict[int, Any]]]:
        """What the call makes, or what its program is for; None where it makes none that can be run beside eager."""
        self.check_tools()
        self.stage("export")
        quieten()
        values.seed(100)
        began = time.monotonic()
        try:
            own = self.tool is not None and self.call.goal == self.message["goal"]
            with self.watch, self.tool.listening() if self.tool is not None and own else nullcontext():
                made = self.call.again(strict=self.strict)
            self.took = time.monotonic() - began
            exported = self.call.program_of(made)
            program: Runnable | None = None
            if exported is not None:
                program = Program(exported) if self.tool is None else self.lowered(self.tool, made if own else exported)
        except BaseException as error:
            self.failed(error, example, example.dynamic_shapes)
            raise Stop from error
        if program is None:
            self.send({"part": "returned", "value": type(made).__name__})
            return None, {}
        self.drafted(made)
        wanted: dict[int, dict[int, Any]] = {}
        with suppress(Exception):  # a way of saying shapes that this torch understands and we do not
            wanted = self.wanted(example, example.dynamic_shapes)
        return program, wanted

    def wanted(self, example: examples.Example, spec: Any) -> dict[int, dict[int, Any]]:
        """The dimensions that the call asks to be dynamic; of `dynamic_axes`, as its names mean them."""
        declared = super().wanted(example, spec)
        options = self.call.options
        if spec is not None or not options.get("dynamic_axes"):
            return declared
        inputs = shapes.leaves(example.model, example.args, example.kwargs)
        meant = onnx.meant_axes(options, inputs, self.torch.export.Dim.DYNAMIC)
        return {
            position: {axis: declared.get(position, {}).get(axis, dim) for axis, dim in axes.items()}
            for position, axes in meant.items()
        }

    def drafted(self, program: Any) -> None:
        """What a draft export had to say of the program that it made all the same."""
        from . import draft

        rows = draft.reported(program, self.users)
        if rows:
            self.send({"part": "draft", "failures": rows, "note": ""})
