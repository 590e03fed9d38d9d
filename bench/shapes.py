"""What is known of sizes before any export, beside what exports and eager runs show.

    python bench/shapes.py [--limit N] [--jobs N] [--verbose] [FOLDER…]

The programs are the measured cases and the programs of tests/data/fixes, before and after their fixes. Each runs in a
process of its own.

(a) `exportdb-lsp shapes` proposes a declaration for each program; the same program is exported with `Dim.AUTO` on every
dimension of its example. Recall: of the dimensions that the export specialized, those that the proposal calls static;
precision: of those that it calls static, those that the export specialized. Sizes of 0 and 1, which always are, do not
count. Each proposal is exported, too: accepted are those that torch takes as they are.

Specialized is a dimension for which the exported program takes one size: its size is a number, or a symbol under guards
that no other size fulfils. torch (2.13) keeps such symbols where a size is solved for only within a quotient or a product:
`x.reshape(-1, 2, 3) + y` leaves `x.shape[1] % 2 == 0` and `x.shape[1] // 2 == 3` beside a symbol, and the program refuses
all sizes but 6. Where the export with `Dim.AUTO` computes something else than eager and the one with the proposal does
not, the dimensions that the proposal calls static are not compared: the symbol is what went wrong.

(b) The shapes that the server shows beside the names of a file are compared with those that the tensors have while the
example runs in eager: equal are those that hold wherever the line ran; shown are the assignments of tensors that have one.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import itertools
import json
import logging
import math
import os
import re
import select
import signal
import sys
import sysconfig
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from exportdb_rules import engine
from exportdb_rules.project import Project
from exportdb_rules.proposal import Proposal, proposals
from exportdb_rules.terms import Term

REPOSITORY = Path(__file__).parent.parent
FOLDERS = (REPOSITORY / "cases" / "exportdb_cases", REPOSITORY / "tests" / "data" / "fixes")
SECONDS = 60
# So many combinations of sizes are tried on the guards of a program.
MAX_TRIED = 300_000
Place = tuple[int, str]


@dataclass
class Counts:
    """What came of one program, by what is counted."""

    numbers: Counter[str] = field(default_factory=Counter[str])
    remarks: list[str] = field(default_factory=list[str])

    def note(self, what: str, remark: str = "") -> None:
        """One more of a kind; and what there is to say of it."""
        self.numbers[what] += 1
        if remark:
            self.remarks.append(f"{what}: {remark}")


def measure(path: Path) -> Counts:
    """What is known of a program, beside what it does. Called in a process of its own."""
    import torch

    logging.disable(logging.CRITICAL)
    found = Counts()
    text = path.read_text("utf-8")
    project = Project()
    project.set_text(str(path), text)
    name = "measured_program"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    torch.manual_seed(0)
    exec(compile(text, str(path), "exec"), module.__dict__)
    space = module.__dict__
    model, args, kwargs = space.get("model"), space.get("example_args"), space.get("example_kwargs") or {}
    if not isinstance(model, torch.nn.Module) or not isinstance(args, tuple):
        return found
    asked = engine.Settings(
        torch_version=torch.__version__.partition("+")[0], packages=(sysconfig.get_paths()["purelib"],)
    )
    of_model = [one for one in proposals(project, str(path), asked) if one.target == type(model).__name__]
    if of_model:
        _compare_guards(found, space, of_model[0])
    _compare_shapes(found, project, path, asked, lambda: model(*args, **kwargs), of_model[0] if of_model else None)
    return found


def _compare_guards(found: Counts, space: dict[str, Any], proposal: Proposal) -> None:
    import torch
    from torch.export import Dim, export
    from torch.utils import _pytree as pytree

    def everywhere(value: object) -> object:
        return [Dim.AUTO] * value.ndim if isinstance(value, torch.Tensor) else None

    model, args, kwargs = space["model"], space["example_args"], space.get("example_kwargs") or {}
    inputs = {**dict(zip(_parameters(model), args, strict=False)), **kwargs}
    if {*inputs} != {name for name, _ in proposal.shapes}:
        return
    try:
        program = export(model, args, kwargs, dynamic_shapes=pytree.tree_map(everywhere, inputs), strict=False)
    except Exception:
        found.note("AUTO fails")
        return
    places = [pytree.keystr(path) for path, leaf in _leaves(inputs) if isinstance(leaf, torch.Tensor)]
    sizes = [
        node.meta["val"].shape
        for node in program.graph.nodes
        if node.op == "placeholder"
        and node.name in program.graph_signature.user_inputs
        and isinstance(node.meta.get("val"), torch.Tensor)
    ]
    if len(places) != len(sizes):
        found.note("example not known")
        return
    symbols = {
        f"L{place}.size()[{index}]": int(leaf.shape[index])
        for place, shape, (_, leaf) in zip(places, sizes, _tensors(inputs), strict=True)
        for index, size in enumerate(shape)
        if isinstance(size, torch.SymInt) and not size.node.expr.is_number
    }
    single = _of_one_size(program, symbols)
    real = [
        [(name := f"L{place}.size()[{index}]") in symbols and name not in single for index in range(len(shape))]
        for place, shape in zip(places, sizes, strict=True)
    ]
    tensors: dict[str, list[bool | None]] = {}
    for axis in proposal.axes:
        known = None if axis.size < 2 else axis.dimension is not None
        tensors.setdefault(axis.input, []).append(known)
    real = [sizes for sizes in real if sizes]
    if [len(sizes) for sizes in real] != [len(sizes) for sizes in tensors.values()]:
        found.note("example not known")
        return
    found.note("modules")
    code = "from torch.export import Dim\n" + "".join(
        [f'{name} = Dim("{name}", min={low}, max={high})\n' for name, low, high in proposal.dims]
    )
    names: dict[str, Any] = {}
    exec(code, names)
    proposed: Any = None
    try:
        proposed = export(model, args, kwargs, dynamic_shapes=eval(proposal.dynamic_shapes, names), strict=False)
    except Exception as error:
        found.note("refused", str(error).splitlines()[0][:120] if str(error) else type(error).__name__)
    else:
        found.note("accepted")
    diverges = proposed is not None and _computes(proposed, space) and not _computes(program, space)
    for (name, ours), theirs in zip(tensors.items(), real, strict=True):
        for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            if one is not None:
                place = f"{name}.shape[{index}]"
                kinds = {(True, True): "both dynamic", (False, False): "both static", (True, False): "missed"}
                kind = kinds.get((one, other), "static without need")
                if kind == "static without need" and diverges:
                    kind = "static, diverges as a symbol"
                found.note(kind, "" if kind.startswith("both") else place)


def _computes(program: Any, space: dict[str, Any]) -> bool:
    """Whether an exported program computes what eager does of the example."""
    import torch
    from torch.utils import _pytree as pytree

    def called(run: Any) -> Any:
        torch.manual_seed(0)
        return pytree.tree_leaves(run(*copy.deepcopy(space["example_args"]), **(space.get("example_kwargs") or {})))

    try:
        torch.testing.assert_close(called(program.module()), called(copy.deepcopy(space["model"])), equal_nan=True)
    except Exception:
        return False
    return True


def _leaves(inputs: dict[str, Any]) -> list[tuple[Any, Any]]:
    from torch.utils import _pytree as pytree

    return pytree.tree_flatten_with_path(inputs)[0]


def _tensors(inputs: dict[str, Any]) -> list[tuple[Any, Any]]:
    import torch

    return [(path, leaf) for path, leaf in _leaves(inputs) if isinstance(leaf, torch.Tensor)]


def _of_one_size(program: Any, symbols: dict[str, int]) -> set[str]:
    """Those of the sizes that are symbols in an exported program for which its own guards, which it checks whenever it is
    called, allow just the one of the example. All sizes are tried up to beyond twice the largest number in these guards:
    what they say of multiples shows by then."""
    guards: list[tuple[Any, set[str], int]] = []
    for text in getattr(program, "_guards_code", None) or ():
        known = {name for name in symbols if name in text}
        code = text
        for index, name in enumerate(symbols):
            code = code.replace(name, f"s{index}_")
        if known and "L[" not in code:
            numbers = [int(number) for number in re.findall(r"(?<![\w.])\d+", code)]
            guards.append((compile(code, "<guard>", "eval"), known, max(numbers, default=0)))
    variables = {name: f"s{index}_" for index, name in enumerate(symbols)}
    found: set[str] = set()
    for name in symbols:
        together, grown = {name}, True
        while grown:
            more = {other for _, known, _ in guards if known & together for other in known}
            together, grown = together | more, not more <= together
        about = [(code, number) for code, known, number in guards if known & together]
        most = 2 * max([*[symbols[one] for one in together], *[number for _, number in about]]) + 1
        if not about or (most - 1) ** len(together) > MAX_TRIED:
            continue
        order = sorted(together)
        names = [variables[one] for one in order]
        allowed = {
            sizes[order.index(name)]
            for sizes in itertools.product(range(2, most + 1), repeat=len(order))
            if all(_fulfilled(code, dict(zip(names, sizes, strict=True))) for code, _ in about)
        }
        if allowed == {symbols[name]}:
            found.add(name)
    return found


def _fulfilled(guard: Any, sizes: dict[str, int]) -> bool:
    try:
        return bool(eval(guard, {"math": math}, sizes))
    except ZeroDivisionError:
        return False  # the program, which evaluates them one after the other, raises as well


def _parameters(model: Any) -> list[str]:
    import inspect

    return [*inspect.signature(model.forward).parameters]


def _compare_shapes(
    found: Counts, project: Project, path: Path, asked: engine.Settings, run: Any, proposal: Proposal | None
) -> None:
    import torch

    tree = ast.parse(path.read_text("utf-8"))
    rows: dict[int, tuple[int, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for statement in ast.walk(node):
                if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                    target = statement.targets[0]
                    if isinstance(target, ast.Name):
                        rows[statement.lineno] = (target.lineno, target.id)
    shown = {(one.span.start.row, one.name): one.shape for one in engine.shapes(project, str(path), asked) if one.bound}
    sizes = _sizes_by_name(proposal)
    seen: dict[Place, set[tuple[int, ...]]] = {}

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename != str(path):
            return None
        pending: list[Place] = []

        def local(frame: FrameType, event: str, _: object) -> Any:
            while pending:
                row, name = pending.pop()
                value = frame.f_locals.get(name)
                if isinstance(value, torch.Tensor) and event in ("line", "return"):
                    seen.setdefault((row, name), set()).add(tuple(value.shape))
            if event == "line" and frame.f_lineno in rows:
                pending.append(rows[frame.f_lineno])
            return local

        return local

    sys.settrace(trace)
    try:
        run()
    except Exception:
        return
    finally:
        sys.settrace(None)
    for place, shapes in seen.items():
        found.note("tensors assigned")
        known = shown.get(place)
        if known is None:
            found.remarks.append(f"not shown: row {place[0]}: {place[1]}, {sorted(shapes)}")
            continue
        told = _evaluated(known, sizes)
        if told is None:
            found.note("shown, not comparable")
        elif shapes == {told}:
            found.note("shown and equal")
        else:
            found.note("shown and wrong", f"row {place[0]}: {place[1]}: {known}, in truth {sorted(shapes)}")


def _sizes_by_name(proposal: Proposal | None) -> dict[str, int]:
    """The sizes of the example by the names that the file declares, and by their places."""
    found: dict[str, int] = {}
    if proposal is None:
        return found
    for axis in proposal.axes:
        found[f"{axis.input}.shape[{axis.index}]"] = axis.size
        if axis.declared is not None:
            term = Term.written(axis.declared)
            root = None if term is None else term.linear
            if root is not None:
                found[root[0]] = (axis.size - root[2]) // root[1]
    return found


def _evaluated(shape: str, sizes: dict[str, int]) -> tuple[int, ...] | None:
    code = shape
    for name in sorted(sizes, key=len, reverse=True):
        code = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w\[])", str(sizes[name]), code)
    try:
        return tuple(eval(code, {"__builtins__": {}}))
    except Exception:
        return None


def in_child(path: Path) -> tuple[int, int]:
    """Starts the measuring of a program; the process, and where its answer comes from."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    os.close(reading)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    signal.alarm(SECONDS)
    try:
        counts = measure(path)
        answer = json.dumps([counts.numbers, counts.remarks])
    except BaseException as error:
        answer = json.dumps([{"not run": 1}, [f"not run: {type(error).__name__}: {error}"[:200]]])
    with os.fdopen(writing, "w") as pipe:
        pipe.write(answer)
    os._exit(0)


def _drawn(path: Path) -> bytes:
    """What a program is drawn by: one that is new takes the place of one other at the most, so that figures can be compared."""
    return hashlib.sha256(os.path.relpath(path, REPOSITORY).encode()).digest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=FOLDERS)
    parser.add_argument("--limit", type=int, help="so many programs, drawn by a hash of their names")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="say what differs")
    options = parser.parse_args()
    paths = sorted(
        path for folder in options.folders for path in folder.resolve().rglob("*.py") if path.stem != "__init__"
    )
    if options.limit is not None:
        paths = sorted(sorted(paths, key=_drawn)[: options.limit])

    import torch

    torch.set_num_threads(1)
    total: Counter[str] = Counter()
    waiting, running, began = [*paths], dict[int, tuple[int, Path]](), time.monotonic()
    while waiting or running:
        while waiting and len(running) < options.jobs:
            path = waiting.pop(0)
            pid, pipe = in_child(path)
            running[pipe] = (pid, path)
        for pipe in select.select([*running], [], [])[0]:
            pid, path = running.pop(pipe)
            with os.fdopen(pipe) as answer:
                text = answer.read()
            os.waitpid(pid, 0)
            numbers, remarks = json.loads(text) if text else ({"not run": 1}, ["not run: ended by a signal"])
            total.update(numbers)
            for remark in remarks if options.verbose else ():
                print(f"{os.path.relpath(path, REPOSITORY)}: {remark}", flush=True)
    _report(total, len(paths), time.monotonic() - began)


def _report(total: Counter[str], programs: int, seconds: float) -> None:
    def ratio(part: int, *others: int) -> str:
        whole = part + sum(others)
        return f"{part / whole:.3f}" if whole else "-"

    kinds = ", ".join(f"{name} {number}" for name, number in sorted(total.items()))
    print(f"{programs} programs in {seconds:.0f} s: {kinds}")
    static, missed, needless = total["both static"], total["missed"], total["static without need"]
    equal, wrong, other = total["shown and equal"], total["shown and wrong"], total["shown, not comparable"]
    shown = equal + wrong + other
    print(f"proposals accepted by torch: {ratio(total['accepted'], total['refused'])}")
    print(
        f"dimensions that Dim.AUTO specializes: recall {ratio(static, missed)}, precision {ratio(static, needless)} of "
        f"{total['modules']} modules; shapes shown for {ratio(shown, total['tensors assigned'] - shown)} of "
        f"{total['tensors assigned']} assigned tensors, right {ratio(equal, wrong)}"
    )


if __name__ == "__main__":
    main()
