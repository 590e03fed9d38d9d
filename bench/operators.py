"""What check says of the arguments of torch's operators, beside real exports.

    python bench/operators.py [--kind data|size|axis]… [--only TEXT] [--show]

The operators and their arguments are those of torch's own tests (`op_db`). For each integer argument, alone or in a tuple,
there is a program where it comes from data (`data`: `n.item()`) and one where it is a dynamic size (`size`: `s.shape[0]`
under `Dim.DYNAMIC`); for each axis of each tensor one where this axis is declared `Dim.DYNAMIC` (`axis`). Each is exported
in non-strict mode. Right is check where it has a finding that fails for what export refuses, one that specializes or none
for a program whose sizes export narrowed, and none for the others.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import importlib.util
import io
import logging
import signal
import sys
import tempfile
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from exportdb_rules import engine
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.project import Project

warnings.simplefilter("ignore")
import torch  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

KINDS = ("data", "size", "axis")
SECONDS = 30  # a program
SAMPLES, AXES, ELEMENTS = 40, 6, 20_000  # an operator's samples, its axes, and the elements of its tensors
HEAD = "import torch\nfrom torch import nn\nfrom torch.export import Dim\n"
PROGRAM = """

# exportdb: args=({args},){shapes}
class {name}(nn.Module):
    def forward(self, {parameters}):
        {first}return {call}
"""
# Their samples are no programs of users: `masked` takes tensors of its own, the rest is called by no public name.
LEFT_OUT = ("_", "ops", "masked", "special.", "signal", "torch.ops")


@dataclass(frozen=True)
class Case:
    """A program: `tensors` are its inputs, `axis` the input and the dimension of it that is declared dynamic."""

    name: str
    kind: str
    call: str
    tensors: list[torch.Tensor]
    axis: tuple[int, int] | None

    @property
    def text(self) -> str:
        names = [f"a{i}" for i in range(len(self.tensors))]
        shapes = ""
        if self.axis is not None:
            place, dimension = self.axis
            declared = [
                f'"{n}": {{{dimension}: Dim.DYNAMIC}}' if i == place else f'"{n}": None' for i, n in enumerate(names)
            ]
            shapes = f" dynamic_shapes={{{', '.join(declared)}}}"
        first = {"data": f"n = {names[-1]}.item()\n        ", "size": f"n = {names[-1]}.shape[0]\n        "}.get(
            self.kind, ""
        )
        args = ", ".join(map(made, self.tensors))
        return PROGRAM.format(
            args=args, shapes=shapes, name=self.name, parameters=", ".join(names), first=first, call=self.call
        )


def made(tensor: torch.Tensor) -> str:
    """An expression for a tensor like this one; check looks at its dtype and its sizes only."""
    size = tuple(tensor.shape)
    if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
        return f"torch.randn({size}, dtype={tensor.dtype})"
    return f"torch.zeros({size}, dtype={tensor.dtype})"


def written(value: Any, tensors: list[torch.Tensor]) -> str | None:
    """An argument as source; its tensors become inputs. None for what has no literal."""
    if isinstance(value, torch.Tensor):
        tensors.append(value.detach().clone())
        return f"a{len(tensors) - 1}"
    if type(value) in (list, tuple, torch.Size):
        parts = [written(part, tensors) for part in value]
        return None if None in parts else enclosed(value, [part for part in parts if part is not None])
    if value is None or type(value) in (bool, int, str, torch.dtype):
        return repr(value)
    return repr(value) if type(value) is float and abs(value) < float("inf") else None


def enclosed(value: list[Any] | tuple[Any, ...], parts: list[str]) -> str:
    inner = ", ".join(parts)
    return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(parts) == 1)})"


def call_of(
    name: str, arguments: dict[int | str, Any], place: tuple[int | str, int | None] | None
) -> tuple[str, list[torch.Tensor]] | None:
    """The call of an operator with `n` in one place, and the tensors that it is given; None where it has no source."""
    tensors: list[torch.Tensor] = []
    texts: list[str] = []
    for key, value in arguments.items():
        if place is None or place[0] != key:
            text = written(value, tensors)
        elif place[1] is None:
            text = "n"
        else:
            text = enclosed(value, ["n" if i == place[1] else repr(part) for i, part in enumerate(value)])
        if text is None:
            return None
        texts.append(text if isinstance(key, int) else f"{key}={text}")
    if not 0 < len(tensors) <= 5 or sum(tensor.numel() for tensor in tensors) > ELEMENTS:
        return None
    function = f"torch.{name}" if public(name) else f"{texts.pop(0)}.{name}"
    return f"{function}({', '.join(texts)})", tensors


def public(name: str) -> bool:
    found: Any = torch
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is not None


def integers(arguments: dict[int | str, Any]) -> Iterator[tuple[tuple[int | str, int | None], int]]:
    """The places of integers above zero, and their values."""
    for key, value in arguments.items():
        if type(value) is int and value > 0:
            yield (key, None), value
        elif type(value) in (list, tuple):
            yield from (((key, i), part) for i, part in enumerate(value) if type(part) is int and part > 0)


def cases(kinds: set[str], only: str) -> Iterator[Case]:
    count = 0
    for operator in op_db:
        name = operator.name
        if name.startswith(LEFT_OUT) or only not in name or not (public(name) or hasattr(torch.Tensor, name)):
            continue
        try:
            dtype = torch.float32 if torch.float32 in operator.dtypes else sorted(operator.dtypes, key=str)[0]
            samples = list(operator.sample_inputs("cpu", dtype, requires_grad=False))[:SAMPLES]
        except Exception:  # some need a device or a library
            continue
        seen: set[Any] = set()
        axes = 0
        for sample in samples:
            arguments = {**dict(enumerate([sample.input, *sample.args])), **sample.kwargs}
            for place, value in integers(arguments):
                kind = (place[0], place[1] is None)
                built = None if kind in seen else call_of(name, arguments, place)
                if built is None or place[0] == 0:
                    continue
                seen.add(kind)
                call, tensors = built
                if "data" in kinds:
                    yield Case(f"P{count}", "data", call, [*tensors, torch.tensor(value)], None)
                    count += 1
                if "size" in kinds and 2 <= value <= ELEMENTS:
                    yield Case(f"P{count}", "size", call, [*tensors, torch.randn(value)], (len(tensors), 0))
                    count += 1
            built = call_of(name, arguments, None) if "axis" in kinds else None
            form = None if built is None else (*[tensor.dim() for tensor in built[1]], len(arguments))
            if built is None or form in seen:
                continue
            seen.add(form)
            for place, tensor in enumerate(built[1]):
                for dimension in [d for d in range(tensor.dim()) if tensor.shape[d] > 1][: AXES - axes]:
                    axes += 1
                    yield Case(f"P{count}", "axis", built[0], built[1], (place, dimension))
                    count += 1


class TimeUp(BaseException):
    """A program took too long."""


def stop(signum: int, frame: FrameType | None) -> None:
    raise TimeUp


def outcome(model: torch.nn.Module, case: Case) -> str:
    """What export does: `fails`, `narrows` or `exports`; '' where eager does not run."""
    try:
        model(*copy.deepcopy(case.tensors))
    except Exception:
        return ""
    shapes = None
    if case.axis is not None:
        place, dimension = case.axis
        shapes = {
            f"a{i}": {dimension: torch.export.Dim.DYNAMIC} if i == place else None for i in range(len(case.tensors))
        }
    signal.alarm(SECONDS)
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # what torch prints of the graph that it gives up
            program = torch.export.export(
                model, tuple(copy.deepcopy(case.tensors)), dynamic_shapes=shapes, strict=False
            )
    except (Exception, TimeUp):
        return "fails"
    finally:
        signal.alarm(0)
    ranges = [] if case.axis is None else list(program.range_constraints.values())[:1]
    return "narrows" if any(bool(r.lower > 2) or bool(r.upper < 2**31) for r in ranges) else "exports"


RIGHT = {"fails": {"fails"}, "narrows": {"specializes", ""}, "exports": {""}}


def said(path: Path) -> dict[int, str]:
    """The worst verdict of check by line."""
    project = Project()
    project.set_text(str(path), path.read_text(encoding="utf-8"))
    found: dict[int, str] = defaultdict(str)
    for finding in engine.check(project, str(path), engine.Settings(modes=(Mode.NON_STRICT,))).findings:
        verdict = finding.verdict[Mode.NON_STRICT]
        if verdict is not Verdict.OK and found[finding.span.start.row] != "fails":
            found[finding.span.start.row] = verdict.value
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--kind", choices=KINDS, action="append", help="all without it")
    parser.add_argument("--only", default="", help="operators with this in their name")
    parser.add_argument("--show", action="store_true", help="each call where check is wrong")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGALRM, stop)
    torch.set_num_threads(1)
    programs = list(cases(set(options.kind or KINDS), options.only))
    right: Counter[str] = Counter()
    wrong: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "programs.py"
        path.write_text(HEAD + "".join(case.text for case in programs), encoding="utf-8")
        lines = path.read_text(encoding="utf-8").splitlines()
        ends = {
            line.partition("(")[0].removeprefix("class "): i
            for i, line in enumerate(lines)
            if line.startswith("class ")
        }
        findings = said(path)
        spec = importlib.util.spec_from_file_location("programs", path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules["programs"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for case in programs:
            does = outcome(getattr(module, case.name)().eval(), case)
            if not does:
                continue
            last = ends[case.name] + (3 if case.kind == "axis" else 4)
            says = findings[last] or findings[last - 1]
            if says in RIGHT[does]:
                right[case.kind] += 1
                continue
            wrong[case.kind, "missed" if does == "fails" else "false"] += 1
            if options.show:
                print(
                    f"{case.kind}: {case.call} {case.axis or ''}: export {does}, check {says or 'nothing'}", flush=True
                )
    parts = []
    for kind in [kind for kind in KINDS if right[kind]]:
        missed, false = wrong[kind, "missed"], wrong[kind, "false"]
        parts.append(f"{kind} {right[kind]} of {right[kind] + missed + false} ({missed} missed, {false} false)")
    print(f"check as export: {'; '.join(parts)}")


if __name__ == "__main__":
    main()
