"""Write `exportdb_rules/goal_table.json`: which operators the tools take that programs are exported for, measured.

    python rules/scripts/goal_table.py onnx
    python rules/scripts/goal_table.py executorch
    python rules/scripts/goal_table.py aoti

Each call measures one goal with the tools of this interpreter, and writes its part of the table anew. What is measured are
the operators of `torch.testing`'s database, called on its own samples as users call them, and the modules of `torch.nn`
in its database of modules. torch.export makes a program of the call, and the worker's own code for the goal
(`exportdb_lsp.worker.goals`) lowers, loads and runs it.

The table also says which operator a module of `torch.nn` calls, where it is one, whatever the module is given.

An operator is `ok` as soon as one sample comes through. It fails where every sample does that torch.export takes: up to
`MOST` samples of float32, two of int64, and the plainest call of each. What is written is then the stage of the first failure, the operator
that the tool refused there, and the tool's own words. An operator of which torch.export takes no sample is left out.

A program of several operators is tried first, of those that the tool is expected to take; what does not come through
together is halved.
Each attempt has a process of its own, which a crash or a hang ends.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.metadata
import json
import multiprocessing
import os
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import torch
from exportdb_lsp.worker import goals
from exportdb_lsp.worker.stack import FrameClassifier, describe
from torch.overrides import TorchFunctionMode
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db
from torch.testing._internal.opinfo.core import OpInfo
from torch.utils import _pytree as pytree

OUT = Path(__file__).parents[1] / "exportdb_rules" / "goal_table.json"
DTYPES = (torch.float32, torch.int64)
MOST = 8
SECONDS = 120.0
# So many operators are tried together.
TOGETHER = 10
# What these do not lower themselves, eager computes.
TAKES_MOST = ("aoti",)
OK = "ok"


class Sample(NamedTuple):
    """One call: what is called, and the arguments, the tensors of which are the inputs of the program."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Outcome(NamedTuple):
    """What became of a program: the stage that it did not get through, what was refused there, and why."""

    stage: str
    operator: str = ""
    reason: str = ""


class Calls(torch.nn.Module):
    """The calls of some samples, whose tensors are given as one list."""

    def __init__(self, samples: list[Sample]) -> None:
        super().__init__()
        self._calls: list[tuple[Callable[..., Any], Any, list[Any]]] = []
        self.inputs: list[torch.Tensor] = []
        for number, sample in enumerate(samples):
            if isinstance(sample.function, torch.nn.Module):
                self.add_module(f"m{number}", sample.function)
            leaves, spec = pytree.tree_flatten((sample.args, sample.kwargs))
            places: list[Any] = []
            for leaf in leaves:
                places.append(_Input(len(self.inputs)) if isinstance(leaf, torch.Tensor) else leaf)
                if isinstance(leaf, torch.Tensor):
                    self.inputs.append(leaf.detach())
            self._calls.append((sample.function, spec, places))

    def forward(self, *inputs: torch.Tensor) -> list[Any]:
        results: list[Any] = []
        for function, spec, places in self._calls:
            leaves = [inputs[leaf.index] if isinstance(leaf, _Input) else leaf for leaf in places]
            args, kwargs = pytree.tree_unflatten(leaves, spec)
            results += [
                leaf for leaf in pytree.tree_leaves(function(*args, **kwargs)) if isinstance(leaf, torch.Tensor)
            ]
        return results


class _Input(NamedTuple):
    index: int


def function_of(name: str) -> Callable[..., Any] | None:
    """What users call by a name of the database: a function of torch or of a part of it, else a method of tensors."""
    found: Any = torch
    for part in name.split("."):
        found = getattr(found, part, None)
    found = found or (getattr(torch.Tensor, name, None) if "." not in name else None)
    return found if callable(found) else None


@cache
def operators() -> dict[str, list[OpInfo]]:
    """The operators of the database by name; those with an underscore are nobody's."""
    found: dict[str, list[OpInfo]] = {}
    for operator in op_db:
        if _called(operator.name):
            found.setdefault(operator.name, []).append(operator)
    return found


def aliases() -> dict[str, str]:
    """The other names of operators: torch makes the same program of them."""
    return {
        alias.name: operator.name
        for operator in op_db
        for alias in operator.aliases
        if _called(operator.name) and _called(alias.name)
    }


def _called(name: str) -> bool:
    return not any(part.startswith("_") for part in name.split(".")) and function_of(name) is not None


def samples(name: str) -> Iterator[Sample]:
    """Samples of a row of the table, those of the most ordinary dtype first."""
    function = function_of(name)
    assert function is not None
    for dtype in DTYPES:
        for operator in operators()[name]:
            if dtype in operator.supported_dtypes("cpu"):
                torch.manual_seed(0)
                found = [
                    Sample(function, (sample.input, *sample.args), dict(sample.kwargs))
                    for sample in islice(operator.sample_inputs("cpu", dtype), 200)
                ]
                chosen = _chosen([sample for sample in found if _ordinary(sample)])
                if chosen and not any(map(_is_taken, chosen)):
                    # The database gives the arguments in an order of its own: `where(x, condition, other)`.
                    chosen = [sample._replace(function=operator.op) for sample in chosen]
                yield from chosen if dtype is DTYPES[0] else chosen[:2]
                yield from [sample for one in chosen[:1] for sample in _plainest(name, one)]


class _Watch(TorchFunctionMode):
    """Notes the functions that are called directly under it."""

    def __init__(self) -> None:
        self.called: list[Any] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        # What the function calls itself is not seen: within here, the mode is off.
        self.called.append(func)
        return func(*args, **(kwargs or {}))


@cache
def modules() -> dict[str, str]:
    """The modules of torch.nn in the database that call one operator of the table, whatever they are given."""
    named = {id(function_of(name)): name for name in (*aliases(), *operators())}
    found: dict[str, set[str]] = {}
    for module in module_db:
        name = module.module_cls.__name__
        if getattr(torch.nn, name, None) is not module.module_cls:
            continue
        for one in module.module_inputs_func(module, "cpu", torch.float32, False, False):
            built, called = one.constructor_input, one.forward_input
            made = module.module_cls(*built.args, **built.kwargs).eval()
            with torch.no_grad(), _Watch() as watch, contextlib.suppress(Exception):
                made(*called.args, **called.kwargs)
            functions = {named[id(function)] for function in watch.called if id(function) in named}
            found.setdefault(name, set()).add(functions.pop() if len(functions) == 1 else "")
    return {
        name: functions.pop() for name, functions in sorted(found.items()) if len(functions) == 1 and functions != {""}
    }


def _is_taken(sample: Sample) -> bool:
    """Whether a call of eager goes through."""
    try:
        with torch.no_grad():
            sample.function(*pytree.tree_map(_copied, sample.args), **sample.kwargs)
    except Exception:
        return False
    return True


def _copied(value: Any) -> Any:
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def _ordinary(sample: Sample) -> bool:
    """A call of dense tensors that are not empty."""
    leaves = pytree.tree_leaves((sample.args, sample.kwargs))
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    return bool(tensors) and all(t.layout is torch.strided and 0 < t.numel() < 100_000 for t in tensors)


def _chosen(found: list[Sample]) -> list[Sample]:
    """Some samples that differ: one of the most dimensions, the first, the last, and others between them."""
    if not found:
        return []
    spread = [found[len(found) * number // MOST] for number in range(1, MOST)]
    picked = {id(sample): sample for sample in (max(found, key=_dimensions), found[0], found[-1], *spread)}
    return list(picked.values())[:MOST]


def _plainest(name: str, sample: Sample) -> Iterator[Sample]:
    """Calls that the database leaves out: with no more than the first argument, also in one dimension, and of a pooling, over
    all there is."""
    yield Sample(sample.function, sample.args[:1], {})
    if isinstance(sample.args[0], torch.Tensor):
        yield Sample(sample.function, (sample.args[0].flatten(),), {})
    if "adaptive" in name:
        yield Sample(sample.function, (sample.args[0], 1), {})


def _dimensions(sample: Sample) -> int:
    leaves = pytree.tree_leaves((sample.args, sample.kwargs))
    return max(leaf.dim() for leaf in leaves if isinstance(leaf, torch.Tensor))


def names() -> list[str]:
    """The rows of the table."""
    return sorted(operators())


def program_of(tried: list[Sample]) -> Any:
    """The ExportedProgram of these calls; None if torch.export or eager does not take them: that says nothing of a goal."""
    model = Calls(tried).eval()
    inputs = tuple(model.inputs)
    try:
        with torch.no_grad():
            if not model(*inputs):
                return None
            return torch.export.export(model, inputs, strict=False)
    except Exception:
        return None


def ordinary(program: Any) -> bool:
    """Whether a program is of the operators alone that every tool is expected to have."""
    called = [node.target for node in program.run_decompositions().graph.nodes if node.op == "call_function"]
    return all(torch.Tag.core in getattr(target, "tags", ()) for target in called)


def attempt(goal: str, program: Any) -> Outcome:
    """Lower, load and run a program, in this process."""
    directory = os.path.dirname(torch.__file__)
    tool = goals.tool(goal, FrameClassifier(__file__, os.path.dirname(__file__), directory))
    args, kwargs = program.example_inputs
    stage = "lower"
    try:
        with torch.no_grad():
            made = tool.of_program(program)
            stage = "load"
            artefact = tool.artefact(made)
            stage = "run"
            artefact.module()(*args, **kwargs)
    except Exception as error:
        refusal = tool.refusal(error)
        return Outcome(stage, refusal.operator if refusal is not None else "", _few_words(describe(tool.cause(error))))
    return Outcome(OK)


def _few_words(text: str) -> str:
    """The first line of a message that says something, without what changes from run to run."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    line = re.sub(r"0x[0-9a-f]{6,}|/\S+/", "…", line)
    return line if len(line) <= 120 else line[:119] + "…"


def isolated(goal: str, rows: list[str]) -> list[Outcome]:
    """What becomes of some rows in a process: of one row, its samples until one comes through; of several, the first
    sample of each, in one program."""
    reader, writer = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_child, args=(writer, goal, rows))
    child.start()
    writer.close()
    found: list[Outcome] = []
    try:
        while reader.poll(SECONDS):
            found.append(reader.recv())
        found.append(Outcome("lower", reason=f"takes more than {SECONDS:.0f} seconds"))
    except EOFError:
        child.join(5)
        if child.exitcode:
            found.append(Outcome("crash", reason=f"the process ends with {child.exitcode}"))
    finally:
        child.kill()
        child.join()
    return found


def _child(writer: Any, goal: str, rows: list[str]) -> None:
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    if len(rows) > 1:
        program = program_of([next(samples(row)) for row in rows])
        if program is not None:
            writer.send(attempt(goal, program))
        os._exit(0)
    for sample in samples(rows[0]):
        program = program_of([sample])
        if program is None:
            continue
        outcome = attempt(goal, program)
        writer.send(outcome)
        if outcome.stage == OK:
            break
    os._exit(0)


def measured(goal: str, rows: list[str]) -> Iterator[tuple[str, Outcome]]:
    """What becomes of each row of which torch.export takes a sample."""
    likely: list[str] = []
    others: list[str] = []
    for row in rows:
        first = next(samples(row), None)
        program = None if first is None else program_of([first])
        with contextlib.suppress(Exception):
            likely += [row] if program is not None and (goal in TAKES_MOST or ordinary(program)) else []
        others += [row] if row not in likely[-1:] else []
        if len(likely) == TOGETHER or (row == rows[-1] and likely):
            yield from _halved(goal, likely)
            likely = []
        for other in others:
            yield from _halved(goal, [other])
        others = []


def _halved(goal: str, rows: list[str]) -> Iterator[tuple[str, Outcome]]:
    """What becomes of some rows, first together; what does not come through together is halved."""
    if not rows:
        return
    outcomes = isolated(goal, rows)
    if len(rows) == 1 and outcomes:
        yield rows[0], outcomes[-1] if outcomes[-1].stage == OK else outcomes[0]
    elif [outcome.stage for outcome in outcomes] == [OK]:
        yield from ((row, Outcome(OK)) for row in rows)
    elif len(rows) > 1:
        yield from _halved(goal, rows[: len(rows) // 2])
        yield from _halved(goal, rows[len(rows) // 2 :])


def versions(goal: str) -> dict[str, str]:
    """The versions of torch and of what the goal's tool is made of."""
    packages = ("torch", *goals.GOALS[goal].packages)
    return {name: importlib.metadata.version(name).partition("+")[0] for name in packages}


def prepare(goal: str) -> None:
    """Load once what every attempt would."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    for name in goals.GOALS[goal].imports:
        importlib.import_module(name)
    if goal == "onnx":
        registration = importlib.import_module("torch.onnx._internal.exporter._registration")
        # The exporter reads all of its functions anew for each program, which takes longer than all else.
        registry = registration.ONNXRegistry.from_torchlib()
        registration.ONNXRegistry.from_torchlib = lambda *_, **__: registry
    if goal == "aoti":
        importlib.import_module("torch._inductor.compile_fx")
    else:
        program = program_of([Sample(torch.sin, (torch.ones(2, 3),), {})])
        goals.tool(goal, FrameClassifier(__file__, os.path.dirname(__file__), "")).of_program(program)


def tells(outcome: Outcome) -> bool:
    """Whether an outcome says something of the operator: a program that ends for a reason that names no operator does not,
    nor one that was ended."""
    return outcome.stage == OK or outcome.operator not in ("", "the program", "the output", "the model")


def written(outcome: Outcome) -> str | list[str]:
    """A cell of the table."""
    return OK if outcome.stage == OK else list(outcome)


def write(goal: str, rows: dict[str, str | list[str]]) -> None:
    """Put rows of a goal into the file; those that it has of other versions of the tools are dropped."""
    document = json.loads(OUT.read_text("utf-8")) if OUT.exists() else {"goals": {}}
    known = document["goals"].get(goal, {})
    kept = known.get("operators", {}) if known.get("versions") == versions(goal) else {}
    document["goals"][goal] = {"versions": versions(goal), "operators": dict(sorted({**kept, **rows}.items()))}
    parts: list[str] = []
    for name, part in sorted(document["goals"].items()):
        lines = ",\n".join(
            f"{json.dumps(row)}: {json.dumps(cell, ensure_ascii=False)}" for row, cell in part["operators"].items()
        )
        parts.append(f'"{name}": {{"versions": {json.dumps(part["versions"])}, "operators": {{\n{lines}\n}}}}')
    called = ",\n".join(f"{json.dumps(name)}: {json.dumps(operator)}" for name, operator in modules().items())
    goals_text = ",\n".join(parts)
    OUT.write_text(f'{{"modules": {{\n{called}\n}},\n"goals": {{\n{goals_text}\n}}}}\n', encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure which operators a goal's tool takes.")
    parser.add_argument("goal", choices=sorted(goals.GOALS))
    parser.add_argument("--only", help="names of operators, separated by commas: measures these rows anew")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if a row is not as the table has it"
    )
    arguments = parser.parse_args()
    prepare(arguments.goal)
    others = aliases()
    rows = [others.get(row, row) for row in arguments.only.split(",")] if arguments.only else names()
    known = json.loads(OUT.read_text("utf-8"))["goals"][arguments.goal]["operators"] if arguments.check else {}
    differing: list[str] = []
    began = time.monotonic()
    for number, (row, outcome) in enumerate(measured(arguments.goal, rows), 1):
        cell = written(outcome)
        print(f"{number}/{len(rows)} {time.monotonic() - began:.0f} s\t{row}\t{json.dumps(cell)}", flush=True)
        if not tells(outcome):
            continue
        if not arguments.check:
            write(arguments.goal, dict.fromkeys((row, *(a for a, of in others.items() if of == row)), cell))
        # The words of a tool may differ from run to run.
        elif row in known and known[row][:2] != cell[:2]:
            differing.append(row)
    if differing:
        print(f"not as in the table: {', '.join(differing)}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
