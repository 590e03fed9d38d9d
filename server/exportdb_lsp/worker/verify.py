"""Proof of a rewrite: eager before = eager after = exported after, on inputs that take every branch."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import contextlib
import gc
import os
import sys
import types
from itertools import pairwise
from typing import Any, NamedTuple

from . import compare, declaration, examples, shapes, sizes, values
from .eager_operators import EagerHigherOrderOps
from .job import Job, Stop
from .line_coverage import LineCoverage
from .load import file_of
from .program import Runnable
from .stack import describe
from .wire import Message, Reporter

# Every proof makes these calls; while a line of the old code was never run, up to MAX_CALLS are made in search of it.
KINDS = ("given", "fresh", "negated", "zero", "positive", "negative", "large", "given")
MAX_CALLS = 40
# How all sizes change at once, where none can change alone: times the first, plus the second.
TOGETHER = ((1, 1), (1, 2), (2, 0))


class TestInput(NamedTuple):
    """How the inputs of one call are made from the example's own, for the old code and again for the new."""

    number: int
    kind: str
    extra: int = -1
    """The index of the author's further inputs that are used, or -1."""
    sizes: dict[int, tuple[int, ...]] = {}  # noqa: RUF012
    """Shapes other than the example's, by position among all leaves of (args, kwargs)."""
    shapes: dict[int, tuple[int, ...]] = {}  # noqa: RUF012
    """The same, by position among the inputs in the order of the parameters."""

    def inputs(self, example: examples.Example) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The inputs, from an example of either text."""
        if self.extra >= 0:
            return example.extra[self.extra], example.kwargs
        return values.vary((example.args, example.kwargs), self.number, self.kind, self.sizes or None)


class Observation(NamedTuple):
    """What the old code answered, and the buffers that it had after it."""

    test_input: TestInput
    answer: compare.CallResult
    states: dict[str, Any]
    """Empty after a call that raised: it may have written half of what it writes, so all start anew then."""
    first: bool = False
    """It was asked of a model that had been asked nothing before."""


class ProofJob(Job):
    """One proof in one mode."""

    def run(self) -> None:
        """Asks the old code, then the new one, then exports that and asks the program, the same test_inputs."""
        self.send({"part": "versions", "torch": str(self.torch.__version__), "python": sys.version.split()[0]})
        self._known = set(sys.modules)
        libraries = len(_libraries(self.torch))
        observations, state = self._observed()
        made = _held_libraries(self.torch, self._known, self.message["root"])
        _forget(self._known, self.message["root"])
        _unregister(self.torch, libraries, made)
        new = self.example(self.message["text"])
        self._kept = Kept(self._known, self.message["root"], new.model)
        if state is not None:
            missing = new.model.load_state_dict(state, strict=False)
            if missing.missing_keys or missing.unexpected_keys:
                keys = ", ".join([*missing.missing_keys, *missing.unexpected_keys])
                self._mismatch("state", 0, "state_dict", keys)
        self.stage("eager")
        broken = not observations or observations[0].answer.error is not None
        reference = observations
        if broken:
            # The old code does not even run on its own example: what the new code computes is all there is to go by.
            why = (
                describe(observations[0].answer.error)
                if observations and observations[0].answer.error is not None
                else self._why
            )
            self.send({"part": "broken", "detail": why.strip().split("\n")[0][:200]})
            reference = self._asked(new, [TestInput(200 + i, kind) for i, kind in enumerate(KINDS)])
            if reference[0].answer.error is not None:
                raise self.error("eager", reference[0].answer.error)
        else:
            self._compared("eager", observations, new, new.another)
            self._for_real(observations, new)
            self._trains(observations[0].test_input, new)
            self.send({"part": "same", "calls": len(observations)})
        # `torch.cond` in eager compiles itself; what Dynamo keeps of that from within a mode is wrong without one.
        self.torch._dynamo.reset()
        program, wanted = self.exported(new)
        self.stage("compare")
        if self._random and not compare.draws_in_view(program.exported):
            self._random = False
            reference = self._asked_again(new if broken else self._old_example, reference)
        declared = declaration.Declaration(shapes.leaves(new.model, new.args, new.kwargs), self._wanted, wanted)
        self._compared("exported", reference, new, program.module, declared)
        self._sizes(new, program, wanted)
        self.send(
            {
                "part": "verified",
                "calls": len(reference) - self._unasked,
                "raised": sum(said.answer.error is not None for said in reference),
                "uncovered": self._uncovered,
                "narrowed": list(self._narrowed.values()),
            }
        )

    # --- the old code -------------------------------------------------------------------------------------------

    def _observed(self) -> tuple[list[Observation], Any]:
        """What the old code answers, and its state; nothing if it cannot even be loaded."""
        self._uncovered: list[int] = []
        self._wanted: declaration.Wanted = {}
        self._narrowed: dict[str, Message] = {}
        self._unasked = 0
        self._why = ""
        self._random = False
        given = self.message["documents"]
        self.message["documents"] = self.message.get("documents_before", given)
        input_sources = self.message["input_sources"]
        self.message["input_sources"] = self.message.get("input_sources_before", input_sources)
        tell, heard = self.send, []
        self.send = heard.append
        try:
            old = self.example(self.message["before"])
            if old.description.get("source") == "inferred":
                # Both are asked with the inputs that were guessed for the old one, made from the same words.
                self.message["input_sources"] = input_sources = [dict(old.description, source="call")]
                old = self.example(self.message["before"])
        except Stop:
            error = next((part for part in heard if part["part"] in ("error", "no-inputs")), {})
            if error.get("part") != "error" or error.get("stage") != "import":
                for part in heard:
                    tell(part)
                raise
            self._why = str(error.get("detail", ""))
            return [], None
        finally:
            self.send = tell
            self.message["documents"] = given
            self.message["input_sources"] = input_sources
        self.stage("eager")
        self._kept = Kept(self._known, self.message["root"], old.model)
        with EagerHigherOrderOps():
            self._random = compare.draws(old.another(), (old.args, old.kwargs), 200)
        lines = LineCoverage(self.message["filename"])
        first = [TestInput(200 + number, kind) for number, kind in enumerate(KINDS)]
        first += [TestInput(300 + number, "given", extra=number) for number in range(len(old.extra))]
        observations = self._asked(old, first, lines)
        text = self.message["before"]
        search = (TestInput(400 + n, ("fresh", "scaled")[n % 2]) for n in range(MAX_CALLS - len(KINDS)))
        for test_input in search:
            if not lines.uncovered(text):
                break
            observations += self._asked(old, [test_input], lines)
        observations += self._at_other_sizes(old, lines)
        self._old_example = old
        self._uncovered = lines.uncovered(text)
        return observations, old.model.state_dict()

    def _asked(
        self, example: examples.Example, test_inputs: list[TestInput], lines: LineCoverage | None = None
    ) -> list[Observation]:
        """The answers of one model, that lives on from call to call, to test_inputs asked one after another."""
        said: list[Observation] = []
        model = self._afresh(example.another)
        with EagerHigherOrderOps():
            for number, test_input in enumerate(test_inputs):
                with lines or contextlib.nullcontext():
                    answer = compare.call(model, test_input.inputs(example), test_input.number, reseed=self._random)
                answer.value = _settled(answer.value)
                states = {} if answer.error is not None else compare.state_of(model)
                said.append(Observation(test_input, answer, states, first=number == 0))
                if answer.error is not None:
                    model = self._afresh(example.another)
        return said

    def _asked_again(self, example: examples.Example, observations: list[Observation]) -> list[Observation]:
        """The answers to the same test inputs, of new models where they were new ones, with the generator running."""
        starts = [at for at, said in enumerate(observations) if said.first]
        rounds = [observations[at:end] for at, end in pairwise([*starts, len(observations)])]
        return [one for said in rounds for one in self._asked(example, [test.test_input for test in said])]

    def _afresh(self, another: Any) -> Any:
        """A model that was asked nothing, in files that were asked nothing."""
        self._kept.restore()
        return another()

    def _at_other_sizes(self, old: examples.Example, lines: LineCoverage) -> list[Observation]:
        """Questions with other sizes in the dimensions that are asked to be dynamic, as far as the old code takes them.

        Each begins with a model of its own, so that no state of another size is met.
        """
        if self.message["dynamic"] != "given" or old.dynamic_shapes is None:
            return []
        try:
            wanted = shapes.asked(old.dynamic_shapes, old.model, old.args, old.kwargs, self.torch)
            found = shapes.leaves(old.model, old.args, old.kwargs)
        except Exception:  # a spec that export itself will refuse
            return []
        self._wanted = wanted
        sizes_of = {leaf.position: tuple(int(n) for n in leaf.tensor.shape) for leaf in found}
        said: list[Observation] = []
        alone = True
        for axes in _together(wanted, sizes_of):
            position, axis = axes[0]
            low, high = shapes.declared_range(wanted[position][axis])
            tried = [
                self._resized(old, _resized(axes, size, sizes_of), 500 + size, lines)
                for size in sizes.candidates(sizes_of[position][axis], low, high)[:3]
            ]
            said += [answer for answer in tried if answer is not None]
            alone = alone and any(answer is not None for answer in tried)
        # Where a size cannot change alone, another has to follow: all by one more, by two more, all twice as large.
        for number, (factor, more) in enumerate(TOGETHER) if not alone else ():
            changed = _all_resized(wanted, factor, more, sizes_of)
            answer = self._resized(old, changed, 600 + number, lines) if changed else None
            said += [answer] if answer is not None else []
        return said

    def _resized(
        self, old: examples.Example, changed: dict[int, tuple[int, ...]], number: int, lines: LineCoverage
    ) -> Observation | None:
        """What the old code answers with inputs of these sizes; None where it does not take them."""
        positions = sizes.positions(old, (old.args, old.kwargs), changed)
        (said,) = self._asked(old, [TestInput(number, "given", sizes=positions, shapes=changed)], lines)
        return said if said.answer.error is None else None

    # --- the new code -------------------------------------------------------------------------------------------

    def _compared(
        self,
        sides: str,
        observations: list[Observation],
        new: examples.Example,
        another: Any,
        declared: declaration.Declaration | None = None,
    ) -> None:
        """Asks the new code, or its program, what the old one was asked. Raises Stop at the first difference.

        Args:
            declared: the sizes that the program is for; of others it is asked nothing, and the result says so.
        """
        names = examples.names_of(new.model, new.args)
        model = self._afresh(another)
        with EagerHigherOrderOps():
            for number, said in enumerate(observations, 1):
                if said.first:
                    model = self._afresh(another)
                excluded = declared.excludes(said.test_input.shapes) if declared and said.test_input.shapes else None
                if excluded is not None:
                    self._narrowed.setdefault(excluded.words, excluded._asdict())
                    self._unasked += 1
                    continue
                answer = compare.call(model, said.test_input.inputs(new), said.test_input.number, reseed=self._random)
                answer.value = _settled(answer.value)
                if said.test_input.sizes and answer.error is not None and sizes.is_zero_one(describe(answer.error)):
                    continue
                difference = _strictly(said.answer, answer, names)
                if difference is None and said.answer.error is None and sides == "exported":
                    difference = _told(compare.first_state(said.states, model))
                if difference is not None:
                    self._is_steady(said.test_input, names)
                    self._mismatch(sides, number, *difference)
                if said.answer.error is not None:
                    model = self._afresh(another)

    def _for_real(self, observations: list[Observation], new: examples.Example) -> None:
        """One call with the operators as they are in eager: they compile their functions, and may refuse them.

        What such a function draws no mode sees, so both sides draw from a running generator.
        """
        first = observations[0]
        inputs, number = first.test_input.inputs, first.test_input.number
        with EagerHigherOrderOps() as plain:
            compare.call(self._afresh(new.another), inputs(new), number)
        if not plain.used:
            return
        old, wanted = self._old_example, first.answer
        if self._random:
            wanted = compare.call(self._afresh(old.another), inputs(old), number)
            wanted.value = _settled(wanted.value)
        answer = compare.call(self._afresh(new.another), inputs(new), number)
        difference = _strictly(wanted, answer, examples.names_of(new.model, new.args))
        if difference is not None:
            self._mismatch("eager", 1, *difference)

    def _trains(self, test_input: TestInput, new: examples.Example) -> None:
        """Runs backward once, where a parameter wants a gradient: in the new code with the operators as they are in eager.

        New code that raises there is none that the old one can be replaced by; gradients that differ are reported, since some
        rewrites let them flow where they were cut.
        """
        old = self._old_example
        with EagerHigherOrderOps():
            wanted = self._gradients(old, old.another, test_input)
        if wanted is None or wanted.error is not None or not wanted.value:
            return
        found = self._gradients(new, new.another, test_input)
        if found is None:
            return
        if found.error is not None:
            detail = describe(found.error).strip().split("\n")[0][:200]
            self._mismatch("eager", 1, "backward", f"raises where eager computes gradients: {detail}")
        for name, gradient in wanted.value.items():
            difference = _told(compare.first_difference(gradient, found.value.get(name), f"the gradient of {name}"))
            if difference is not None:
                again = self._gradients(old, old.another, test_input)
                if (
                    again is not None
                    and again.error is None
                    and compare.first_difference(gradient, again.value[name], "")
                ):
                    return  # it differs from call to call
                self.send({"part": "gradients", "place": difference[0], "detail": difference[1]})
                return

    def _gradients(self, example: examples.Example, another: Any, test_input: TestInput) -> compare.CallResult | None:
        """The gradients of the parameters by one call, by name; None where no parameter wants any, {} where no result has
        one."""
        model = self._afresh(another)
        if not any(parameter.requires_grad for parameter in model.parameters()):
            return None
        torch = self.torch

        def trained(*args: Any, **kwargs: Any) -> dict[str, Any]:
            with torch.enable_grad():
                value = _settled(model(*args, **kwargs))
                leaves = torch.utils._pytree.tree_leaves(value)
                ends = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
                if not ends:
                    return {}
                total: Any = sum(end.abs().sum() if end.is_complex() else end.sum() for end in ends)
                total.backward()
            named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
            return {name: torch.zeros_like(p) if p.grad is None else p.grad for name, p in named}

        return compare.call(trained, test_input.inputs(example), test_input.number, reseed=self._random)

    def _sizes(self, new: examples.Example, program: Runnable, wanted: dict[int, dict[int, Any]]) -> None:
        """The exported program at other sizes, beside the new code."""
        rows = shapes.report(shapes.leaves(new.model, new.args, new.kwargs), wanted, program.exported, self.watch)
        ranges = {str(symbol): str(r) for symbol, r in program.exported.range_constraints.items()}
        self.send({"part": "exported", "range_constraints": ranges, "dimensions": rows})
        if not rows:
            return
        with EagerHigherOrderOps():
            for finding in sizes.SizeExploration(new, program, rows, wanted).explore():
                self.send(dict(finding._asdict(), part="sizes"))

    def _is_steady(self, test_input: TestInput, names: list[str]) -> None:
        """Raises Stop where two fresh instances of the old code differ on one test_input: no new code can agree then."""
        old = self._old_example
        if old.shared:
            return
        found = compare.unsteady(
            lambda: self._afresh(old.another), test_input.inputs(old), test_input.number, names, self._random
        )
        if found is not None:
            detail = found.sentence("one", "the other")
            self.send({"part": "unsteady", "place": found.place, "detail": detail})
            raise Stop

    def _mismatch(self, sides: str, call: int, place: str, detail: str) -> None:
        self.send({"part": "mismatch", "sides": sides, "call": call, "place": place, "detail": detail})
        raise Stop


def _settled(value: Any) -> Any:
    """A result that can be looked at twice: what a generator gives, as a list."""
    return list(value) if isinstance(value, types.GeneratorType) else value


class Kept:
    """The plain values that the files of a project, their classes and the closures on a model hold: what a model counts
    there outlives it, and its copies count there too."""

    def __init__(self, known: set[str], root: str, model: Any) -> None:
        self._values: list[tuple[Any, str, Any]] = []
        attributes = [value for module in model.modules() for value in vars(module).values()]
        cells = [cell for one in attributes for cell in getattr(one, "__closure__", None) or ()]
        self._cells = [(cell, value) for cell in cells if _plain(value := _content(cell))]
        for name in set(sys.modules) - known:
            module = sys.modules[name]
            if not _of_project(module, root):
                continue
            classes = [v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__]
            for holder in (module, *classes):
                for key, value in list(vars(holder).items()):
                    if not key.startswith("__") and _plain(value):
                        self._values.append((holder, key, value))

    def restore(self) -> None:
        """Puts back what has changed since."""
        for holder, key, value in self._values:
            if vars(holder).get(key) is not value:
                setattr(holder, key, value)
        for cell, value in self._cells:
            cell.cell_contents = value


def _plain(value: Any) -> bool:
    return type(value) in (int, float, bool, str, type(None))


def _content(cell: Any) -> Any:
    """What a cell of a closure holds; the cell itself where it is empty."""
    try:
        return cell.cell_contents
    except ValueError:
        return cell


def _libraries(torch: Any) -> list[Any]:
    """The libraries of operators that `torch.library.define` made, in order."""
    found = getattr(torch.library, "_keep_alive", None)
    return found if isinstance(found, list) else []


def _held_libraries(torch: Any, known: set[str], root: str) -> list[Any]:
    """The libraries that the files of a project made themselves, and hold. What they registered holds them in turn."""
    kind = getattr(torch.library, "Library", None)
    modules = [sys.modules[name] for name in set(sys.modules) - known]
    values = [value for module in modules if _of_project(module, root) for value in vars(module).values()]
    return [value for value in values if kind is not None and isinstance(value, kind)]


def _unregister(torch: Any, known: int, held: list[Any]) -> None:
    """Takes back the operators that the old code defined: the new code defines them again."""
    made = _libraries(torch)
    for library in [*made[known:], *held]:
        with contextlib.suppress(Exception):
            library._destroy()
    del made[known:]


def _of_project(module: Any, root: str) -> bool:
    place = file_of(module)
    return os.path.abspath(place).startswith(os.path.join(root, "")) and "site-packages" not in place


def _forget(known: set[str], root: str) -> None:
    """Takes the modules of the project that the old code loaded out again, so that the new texts are loaded."""
    for name in set(sys.modules) - known:
        if _of_project(sys.modules[name], root):
            del sys.modules[name]
    gc.collect()


def _together(wanted: dict[int, dict[int, Any]], sizes_of: dict[int, tuple[int, ...]]) -> list[list[tuple[int, int]]]:
    """The axes that change together: those of one named Dim; of unnamed ones, those of one size."""
    groups: dict[Any, list[tuple[int, int]]] = {}
    for position, axes in wanted.items():
        for axis, dim in axes.items():
            name = getattr(dim, "__name__", None)
            groups.setdefault(name or sizes_of[position][axis], []).append((position, axis))
    return list(groups.values())


def _all_resized(
    wanted: declaration.Wanted, factor: int, more: int, sizes_of: dict[int, tuple[int, ...]]
) -> dict[int, tuple[int, ...]]:
    """Every dynamic size so many times as large, and so much larger; nothing where one of them leaves its range."""
    changed: dict[int, tuple[int, ...]] = {}
    for position, axes in wanted.items():
        shape = list(sizes_of[position])
        for axis, dim in axes.items():
            low, high = shapes.declared_range(dim)
            shape[axis] = factor * shape[axis] + more
            if shape[axis] < low or (high is not None and shape[axis] > high):
                return {}
        changed[position] = tuple(shape)
    return changed


def _resized(
    axes: list[tuple[int, int]], size: int, sizes_of: dict[int, tuple[int, ...]]
) -> dict[int, tuple[int, ...]]:
    changed: dict[int, tuple[int, ...]] = {}
    for position, axis in axes:
        shape = list(changed.get(position, sizes_of[position]))
        shape[axis] = size
        changed[position] = tuple(shape)
    return changed


def _strictly(left: compare.CallResult, right: compare.CallResult, names: list[str]) -> tuple[str, str] | None:
    """Where and how two answers differ. Unlike with `judge`, what raises before must raise after."""
    if left.error is not None and right.error is None:
        text = describe(left.error).strip().split("\n")[0][:200]
        return "output", f"the original code raises {type(left.error).__name__} ({text}), the rewritten code returns"
    return _told(compare.judge(left, right, names))


def _told(difference: compare.Difference | None) -> tuple[str, str] | None:
    return difference and (difference.place, difference.sentence("the original", "the rewritten code"))


def do(message: Message, reporter: Reporter) -> None:
    """Runs one proof; everything that it has to say goes to `reporter`."""
    try:
        ProofJob(message, reporter).run()
    except Stop:
        return
