"""One export from the first import to the last comparison, reported part by part.

Every part is sent as soon as it is known: what a later stage does (crash, hang) cannot take back what was learned.
"""

from __future__ import annotations

import functools
import logging
import os
import sys
import time
import traceback
from typing import Any

from . import compare, draft, evidence, examples, failure, goals, graph, infer, load, propose, shapes, sizes, values
from .line_coverage import LinesOfProject
from .program import Program, Runnable, has_values
from .stack import FrameClassifier, describe
from .unbacked import check_taken
from .wire import Message, Sender

# Calls with the given values, with fresh ones twice, with the signs turned over, and with the given values once more.
CALLS = ("given", "fresh", "fresh", "negated", "given")
# A model that is slow in eager is compared on these at least; after a share of the time limit they must do.
LEAST_CALLS = 4
SHARE = 0.25
# An export of larger inputs takes about so many times as long as the first.
LARGER = 4


class Stop(Exception):
    """The report is complete as it is."""


class Job:
    """The state of one export."""

    def __init__(self, message: Message, reporter: Sender) -> None:
        import torch

        self.message = message
        self.send = reporter.send
        self.torch: Any = torch
        # Bound before any code of the user runs: it may replace them.
        self.export = torch.export.export
        self.strict = message["mode"] == "strict"
        self.users = FrameClassifier(message["filename"], message["root"], os.path.dirname(torch.__file__))
        self.watch = shapes.Watch(self.users, torch)
        self.tool = goals.tool(message["goal"], self.users) if message.get("goal") else None
        """What takes the program further; None where the program is the end."""
        self.until = time.monotonic() + float(message["timeout"])
        self.took = 0.0
        """Seconds of the export."""

    def stage(self, name: str) -> None:
        """Says what is being done, for the progress bar and for the message when it does not end."""
        self.send({"part": "stage", "stage": name})

    def error(self, stage: str, error: BaseException) -> Stop:
        """The user's own code does not run: nothing can be said about export."""
        frames = failure.locate(error, describe(error), False, self.users)
        self.send(
            {
                "part": "error",
                "stage": stage,
                "exception": type(error).__name__,
                "detail": describe(error),
                "frames": frames,
            }
        )
        return Stop()

    def versions(self) -> None:
        """What all of this is true of."""
        self.send({"part": "versions", "torch": str(self.torch.__version__), "python": sys.version.split()[0]})

    def run(self) -> None:
        """All stages."""
        self.versions()
        example = self.example(self.message["text"])
        eager, first = self.called(example)
        program, wanted = self.exported(example)
        larger = self.larger(example)
        if larger is not None:
            example = larger
            self.send(dict(example.description, part="inputs"))
            self.watch = shapes.Watch(self.users, self.torch)
            eager, first = self.called(example)
            program, wanted = self.exported(example)
        if first.error is not None:
            raise self.error("eager", first.error)
        self.compared_if_valued(example, eager, first, program, wanted)

    def called(self, example: examples.Example) -> tuple[Any, compare.CallResult]:
        """A model, and what its first call returned, or raised where tracing is what failed."""
        self.stage("eager")
        eager = example.another()
        first = compare.call(eager, (example.args, example.kwargs), 100)
        if first.error is not None and not fails_in_tracing(first.error):
            raise self.error("eager", first.error)
        return eager, first

    def larger(self, example: examples.Example) -> examples.Example | None:
        """Guessed inputs are as small as the model takes them. Where that makes sizes of 1 within the model (one patch of an
        image), export assumes them, and no line is to blame: larger inputs that the model takes, if there are any."""
        if not isinstance(example, infer.InferredExample) or self.message["dynamic"] != "auto":
            return None
        inputs = shapes.leaves(example.model, example.args, example.kwargs)
        for other in self.watch.larger(inputs):
            if time.monotonic() + LARGER * self.took > self.until:
                break
            larger = example.at(other)
            if larger is not None and self.taken(larger):
                return larger
        return None

    def taken(self, example: examples.Example) -> bool:
        """Whether the model takes these inputs."""
        return compare.call(example.another(), (example.args, example.kwargs), 100).error is None

    def example(self, text: str) -> examples.Example:
        """The example of the first input source that has one, in a module made of `text`."""
        message = self.message
        self.stage("import")
        values.seed(0)
        try:
            module = load.load(message["filename"], text, message["root"], message["documents"])
        except BaseException as error:
            raise self.error("import", error) from error
        self.stage("construct")
        reasons: list[str] = []
        last: examples.NoInputs | None = None
        for input_source in message["input_sources"]:
            try:
                if input_source["source"] == "inferred" or not (input_source.get("args") or input_source.get("kwargs")):
                    self.stage("guess")
                    found = infer.make(module, message, input_source)
                else:
                    found = examples.make(module, message["target"], input_source)
            except examples.NoInputs as missing:
                last = missing
                reasons.append(str(missing))
                if input_source["source"] in ("comment", "config", "module"):
                    break  # somebody wrote these for this model: to guess past them would hide the mistake
                continue
            except BaseException as error:
                if input_source.get("called"):
                    reasons.append(_unfit(input_source, error))
                    continue
                raise self.error("construct", error) from error
            if message.get("train"):
                found.model.train()
            elif not found.as_given:
                found.model.eval()
            if input_source.get("called"):
                tried = compare.call(found.another(), (found.args, found.kwargs), 100)
                if tried.error is not None:
                    reasons.append(_unfit(input_source, tried.error))
                    continue
            self.send(dict(found.description, part="inputs"))
            return found
        text = "; ".join(reasons) or "no example inputs"
        row, filename = (last.row, last.filename) if last else (None, "")
        self.send({"part": "no-inputs", "message": text, "row": row, "filename": filename})
        raise Stop

    def exported(self, example: examples.Example) -> tuple[Runnable, dict[int, dict[int, Any]]]:
        """The exported program or what it is for, and the dimensions that were asked to be dynamic."""
        self.check_tools()
        wish = self.message["dynamic"]
        model = example.another()
        try:
            if wish == "auto":
                spec = shapes.everything_dynamic(model, example.args, example.kwargs, self.torch)
            else:
                spec = example.dynamic_shapes if wish == "given" else None
                check_taken(spec, self.torch)
        except NotImplementedError as error:
            self.send({"part": "no-inputs", "message": str(error), "row": None, "filename": ""})
            raise Stop from error
        args, kwargs = values.duplicate((example.args, example.kwargs))
        self.stage("export")
        quieten()
        values.seed(100)
        began = time.monotonic()
        try:
            with self.watch:
                made = self.made(model, args, kwargs, spec)
            self.took = time.monotonic() - began
            program = Program(made) if self.tool is None else self.lowered(self.tool, made)
        except BaseException as error:
            self.failed(error, example, spec)
            raise Stop from error
        return program, self.wanted(example, spec)

    def wanted(self, example: examples.Example, spec: Any) -> dict[int, dict[int, Any]]:
        """The dimensions that a `dynamic_shapes` asks to be dynamic."""
        spec = spec if self.tool is None else self.tool.asked(spec)
        return shapes.asked(spec, example.model, example.args, example.kwargs, self.torch) if spec else {}

    def check_tools(self) -> None:
        """Ends the job where what it is for is not installed.

        Raises:
            Stop: it is not.
        """
        if self.tool is None:
            return
        goal = self.message["goal"]
        missing, compiler = goals.missing(goal), goals.missing_compiler(goal)
        unusable = "" if missing or compiler else goals.unusable(goal)
        if missing or compiler or unusable:
            told = {"missing": missing, "compiler": compiler, "unusable": unusable}
            self.send({"part": "no-tools", "python": sys.executable, **told})
            raise Stop

    def made(self, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], spec: Any) -> Any:
        """What the export returns: a program, or what the goal's own function makes of a model.

        That function exports in non-strict mode by itself; of a strict export it gets the program.
        """
        if self.tool is None or self.strict:
            return self.export(model, args, kwargs, dynamic_shapes=spec, strict=self.strict)
        with self.tool.listening():
            return self.tool.of_model(model, args, kwargs, spec)

    def lowered(self, tool: goals.Tool, made: Any) -> Runnable:
        """What the goal's tool makes of a program, if it has not made it of the model; ready to be run."""
        self.stage("lower")
        if isinstance(made, self.torch.export.ExportedProgram):
            made = tool.of_program(made)
        artefact = tool.artefact(made)
        refused = tool.narrowed()
        if refused is not None:
            self.send(dict(failure.analyse(refused, self.strict, self.users, self.torch, self.watch), part="narrowed"))
        return artefact

    def failed(self, error: BaseException, example: examples.Example, spec: Any) -> None:
        """Why export stopped, and what it would have stopped at next."""
        refusal = None
        if self.tool is not None:
            refusal, error = self.tool.refusal(error), self.tool.cause(error)
        report = failure.analyse(error, self.strict, self.users, self.torch, self.watch)
        if refusal is not None:
            report.update(frames=refusal.frames, says=refusal.says, operator=refusal.operator)
        others: list[dict[str, Any]] = []
        if report["violation"]:
            others = [{"assumed": e.assumed, "frames": e.frames} for e in self.watch.restricting(report["detail"])[1:]]
        self.send(dict(report, part="failure", restrictions=others))
        if not self.message.get("draft") or self.strict or refusal is not None:
            return
        self.stage("draft")
        args, kwargs = values.duplicate((example.args, example.kwargs))
        rows, note = draft.later_failures(example.another(), args, kwargs, spec, self.users, self.torch)
        self.send({"part": "draft", "failures": rows, "note": note})

    def described(
        self, example: examples.Example, program: Runnable, wanted: dict[int, dict[int, Any]]
    ) -> list[dict[str, Any]]:
        """What the program is; the rows of its dynamic dimensions."""
        inputs = (example.args, example.kwargs)
        found = shapes.leaves(example.model, *inputs)
        rows = shapes.report(found, wanted, program.exported, self.watch)
        names = shapes.declare(rows, program.sizes())
        ranges = {names.get(str(s), str(s)): str(r) for s, r in program.exported.range_constraints.items()}
        self.send({"part": "exported", "range_constraints": ranges, "dimensions": rows})
        try:
            self.send({"part": "counts", "counts": graph.counts(program.exported)})
            self.send({"part": "traced", "traced": graph.traced(program.exported, self.users)})
            self.send({"part": "placed", "placed": [row._asdict() for row in program.placed()]})
            if self.message.get("show_graph"):
                self.send({"part": "graph", "graph": graph.readable(program, self.users)})
        except Exception as error:  # the graph is for looking at; the verdict does not hang on it
            self.send({"part": "note", "message": f"the graph cannot be shown: {describe(error)}"})
        fixed = shapes.constants(example.model, *inputs, program.exported)
        if fixed:
            self.send({"part": "constants", "constants": fixed})
        return rows

    def compared_if_valued(
        self,
        example: examples.Example,
        eager: Any,
        first: compare.CallResult,
        program: Runnable,
        wanted: dict[int, dict[int, Any]],
    ) -> None:
        """Whether the program is faithful, where its tensors have numbers to compute with."""
        reason = ""
        if not self.valued(example):
            reason = "its tensors have no values (they are fake, or on the meta device)"
        elif not program.draws_as_torch and compare.draws(example.another(), (example.args, example.kwargs), 100):
            reason = f"it draws random numbers, and {program.called} draws others"
        if reason:
            self.described(example, program, wanted)
            self.send({"part": "uncompared", "reason": reason})
        else:
            with compare.other_kernels(program.slack):
                self.compared(example, eager, first, program, wanted)

    def valued(self, example: examples.Example) -> bool:
        """Whether the model and its inputs have numbers to compute with."""
        tensors = [leaf.tensor for leaf in shapes.leaves(example.model, example.args, example.kwargs)]
        tensors += [*example.model.parameters(), *example.model.buffers()]
        return all(has_values(tensor) and not tensor.is_meta for tensor in tensors)

    def compared(
        self,
        example: examples.Example,
        eager: Any,
        first: compare.CallResult,
        program: Runnable,
        wanted: dict[int, dict[int, Any]],
    ) -> None:
        """What the program is, then whether it is faithful."""
        rows = self.described(example, program, wanted)
        self.stage("compare")
        self.same_sizes(example, eager, first, program)
        if rows:
            inputs = shapes.leaves(example.model, example.args, example.kwargs)
            seconds = min(sizes.BUDGET, SHARE * float(self.message["timeout"]))
            blame = functools.partial(self.watch.excluding, inputs)
            run = sizes.SizeExploration(example, program, rows, wanted, blame, seconds, self.watch.numbers())
            for finding in run.explore():
                self.send(dict(finding._asdict(), part="sizes"))
            self.send({"part": "sized", "calls": run.calls})
        if self.message.get("trace_lines") and self.message["dynamic"] != "auto":
            with LinesOfProject(self.users.mine) as ran:
                compare.call(example.another(), (example.args, example.kwargs), 100)
            self.send({"part": "lines", "lines": {name: sorted(rows) for name, rows in ran.rows.items()}})
        self.send({"part": "judged"})
        if self.message["dynamic"] == "auto" and self.message.get("propose", True):
            self.propose(example, rows)

    def propose(self, example: examples.Example, rows: list[dict[str, Any]]) -> None:
        """The first way of writing the dynamic shapes down that export takes, tried for real.

        The last one, `Dim.AUTO` where a size stayed dynamic, is what was exported already: it needs no trial, which
        helps where there is no time for one.
        """
        self.stage("propose")
        dim = self.torch.export.Dim
        texts = propose.texts(example.model, example.args, example.kwargs, rows)
        for text in texts:
            hurried = time.monotonic() + 2 * self.took > self.until
            if hurried and text is not texts[-1]:
                continue
            args, kwargs = values.duplicate((example.args, example.kwargs))
            try:
                spec = eval(text, {"Dim": dim})
                if not hurried:
                    self.export(example.another(), args, kwargs, dynamic_shapes=spec, strict=self.strict)
            except Exception:
                continue
            self.send({"part": "proposed", "text": text})
            return

    def same_sizes(self, example: examples.Example, eager: Any, first: compare.CallResult, program: Runnable) -> None:
        """Several calls side by side on one eager model and one exported program: state that evolves must show."""
        inputs = (example.args, example.kwargs)
        names = examples.names_of(example.model, example.args)
        exported = program.module()
        random = compare.draws_in_view(program.exported)
        if random:
            with compare.Seeding() as seeding:
                compare.call(example.another(), inputs, 100)
            random = not seeding.seen
            eager = example.another()
            first = compare.call(eager, inputs, 100, reseed=random)
        calls = 0
        before = compare.attributes(example.model)
        plan: list[tuple[str, Any]] = [(kind, inputs) for kind in CALLS]
        plan += [("given", (extra, example.kwargs)) for extra in example.extra]
        until = time.monotonic() + SHARE * float(self.message["timeout"])
        for number, (kind, base) in enumerate(plan):
            if number >= LEAST_CALLS and time.monotonic() > until:
                break
            given = base if kind == "given" else values.vary(base, 100 + number, kind)
            if number == 0:
                left = first
            else:
                left = compare.call(eager, given, 100 + number, reseed=random)
            if left.error is not None:
                if kind == "negated":
                    continue
                # Values drawn at random may be no values for this model. The call may have half changed its state:
                # from here on both start anew.
                eager, exported = example.another(), program.module()
                continue
            right = compare.call(exported, given, 100 + number, reseed=random)
            calls += 1
            difference = compare.judge(left, right, names)
            if difference is not None and compare.refused(right):
                self.send({"part": "refused", "number": calls, "detail": describe(right.error or Exception())})
                break
            if difference is None and not example.shared:
                difference = compare.states(eager, exported)
            if difference is None:
                told = evidence.rows(left.value, right.value) + evidence.rows(left.inputs, right.inputs, "input")
                self.send({"part": "agreed", "number": calls, "rows": told})
            else:
                changed = [name for name, value in compare.attributes(eager).items() if before.get(name) != value]
                told = {
                    "place": difference.place,
                    "detail": difference.sentence(exported=program.called),
                    "changed": changed,
                }
                sides = {"eager": difference.eager, "exported": difference.exported}
                forgotten = program.forgotten(again=calls > 1 or difference.place.startswith("input"))
                unkept = forgotten._asdict() if forgotten is not None else None
                self.send({"part": "difference", "number": calls, **told, **sides, "forgotten": unkept})
                fresh = not example.shared  # what cannot be copied has no second instance
                unsteady = compare.unsteady(example.another, given, 100 + number, names, random) if fresh else None
                if unsteady is not None:
                    detail = unsteady.sentence("one", "the other")
                    self.send({"part": "unsteady", "place": unsteady.place, "detail": detail})
                break
        self.send({"part": "compared", "calls": calls})


def _unfit(input_source: dict[str, Any], error: BaseException) -> str:
    """Why a call that the project makes is no example: it may be there to show what the model refuses."""
    return "the call at {} raises {}".format(input_source.get("place"), type(error).__name__)


def fails_in_tracing(error: BaseException) -> bool:
    """torch.cond and its kin trace their branches in eager too: what stops them there is a failure of tracing."""
    frames = list(traceback.walk_tb(error.__traceback__))
    operators = os.path.join("torch", "_higher_order_ops")
    return type(error).__module__ == "torch._dynamo.exc" or operators in frames[-1][0].f_code.co_filename


def quieten() -> None:
    """Keeps torch's own log lines (its view of the failure that is reported anyway) out of what the model printed.

    Only the handlers that print: draft_export collects its findings through another handler of the same loggers.
    """
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if name.split(".")[0] == "torch" and isinstance(logger, logging.Logger):
            for handler in logger.handlers:
                if type(handler) is logging.StreamHandler:
                    handler.setLevel(logging.CRITICAL + 1)


def do(message: Message, reporter: Sender) -> None:
    """Runs one job; everything that it has to say goes to `reporter`."""
    try:
        Job(message, reporter).run()
    except Stop:
        return
