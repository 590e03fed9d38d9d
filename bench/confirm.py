"""What does confirm add to a bare torch.export.export, and does the server notice?

    python bench/confirm.py [--cases N] [--edits N]

For cases that export: the wall time of one confirm on a warm worker, up to the differential run and with it, over the
time of a bare `torch.export.export` of the same model: in a plain script of its own, as somebody would write it, and in
one that has exported something before, where nothing is left to be loaded. Each confirm comes a moment after the one
before, as when somebody presses a button; then once more without pause, as when many models are exported. Then the
first verdict of a worker that is just started, over a plain script from its start to its first export. Last the time
from an edit to its diagnostics in the language server, while it exports, over the same while it does not.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import lsp as server_bench
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import Outcome
from exportdb_rules.finding import Mode

# Seconds between two confirms of somebody who presses a button. The worker makes itself ready for the next meanwhile.
PAUSE = 3.0
STAGES = ("import", "construct", "eager", "export", "compare", "end")
CASES = Path(__file__).parent.parent / "cases" / "exportdb_cases"
BARE = """
import time
start = time.perf_counter()
import importlib.util, json, os, sys
import torch
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
times = {"import torch": time.perf_counter() - start}
if "--after-another" in sys.argv:
    torch.export.export(torch.nn.Linear(2, 2), (torch.randn(2, 2),))
    times["first export"] = time.perf_counter() - start
print(json.dumps(times), file=answers, flush=True)
for line in sys.stdin:
    spec = importlib.util.spec_from_file_location("case", line.strip())
    case = importlib.util.module_from_spec(spec)
    sys.modules["case"] = case
    spec.loader.exec_module(case)
    shapes = getattr(case, "dynamic_shapes", None)
    start = time.perf_counter()
    try:
        torch.export.export(case.model, case.example_args, getattr(case, "example_kwargs", None), dynamic_shapes=shapes)
        took = time.perf_counter() - start
    except Exception:
        took = None
    print(json.dumps(took), file=answers, flush=True)
"""
# Exporting this keeps the worker busy for longer than the edits take.
SLOW = """
import torch


class Slow(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(120))

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x)) + x
        return x


model = Slow()
example_args = (torch.randn(2, 4),)
"""


class Script:
    """A plain script that exports what it is told to; `after_another` model, or as the first it ever does."""

    def __init__(self, *, after_another: bool) -> None:
        command = [sys.executable, "-c", BARE, *(["--after-another"] if after_another else [])]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.times: dict[str, float] = self._answer()
        """Seconds from its start to the end of `import torch` and of its first export."""

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def export(self, path: Path) -> float | None:
        """Seconds of the bare export of a case; None if it fails."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{path}\n")
        self._process.stdin.flush()
        return self._answer()

    def end(self) -> None:
        """It has nothing more to do."""
        self._process.communicate()


def alone(path: Path) -> float | None:
    """Seconds of the bare export of a case in a script that does nothing else."""
    script = Script(after_another=False)
    took = script.export(path)
    script.end()
    return took


def confirmed(confirmer: Confirmer, path: Path) -> dict[str, float] | None:
    """Seconds from the request to each stage of a confirm, and to its end; None for one that does not say ok."""
    marks: dict[str, float] = {}
    start = time.perf_counter()

    def note(text: str) -> None:
        _, colon, stage = text.rpartition(": ")
        if colon:
            marks.setdefault(stage, time.perf_counter() - start)

    request = ExportRequest(str(path), modes=(Mode.NON_STRICT,), root=path.parent, draft=False)
    (result,) = confirmer.run(request, on_progress=note)
    if result.outcome is not Outcome.OK:
        return None
    return {**marks, "end": time.perf_counter() - start}


class Times(NamedTuple):
    """Seconds for one case."""

    bare: float
    judged: float
    """Of confirm, up to the differential run."""
    compared: float
    """Of confirm, with it."""
    stages: dict[str, float]


def in_turn(confirmer: Confirmer, script: Script, paths: list[Path], pause: float) -> dict[Path, Times]:
    """What each case takes that exports faithfully. Bare and confirmed in turn, so that both see the same machine."""
    kept: dict[Path, Times] = {}
    for path in paths:
        time.sleep(pause)
        took = confirmed(confirmer, path)
        # After the pause and not before it: what a processor has lain idle for it does slowly.
        bare = script.export(path)
        if took is not None and bare is not None:
            kept[path] = Times(bare, took["compare"], took["end"], took)
    return kept


def against_bare(count: int) -> str:
    """Prints what confirm costs over a bare export; returns the sum of it."""
    paths = sorted(path for path in CASES.glob("*/*.py") if path.stem != "__init__" and path.stem.endswith("_ok"))
    paths = random.Random(0).sample(paths, min(count, len(paths)))
    script = Script(after_another=True)
    start = time.perf_counter()
    confirmer = Confirmer(low_priority=True)  # as the editor has it
    try:
        confirmed(confirmer, paths[0])
        first = time.perf_counter() - start
        runs = {pause: in_turn(confirmer, script, paths, pause) for pause in (PAUSE, 0.0)}
    finally:
        confirmer.close()
        script.end()
    ratios: list[float] = []
    firsts = {path: took for path in paths if (took := alone(path)) is not None}
    for pause, kept in runs.items():
        print(f"{len(kept)} cases, non-strict, " + (f"one every {pause:.0f} s" if pause else "without a pause"))
        for part, goal, aim in (
            ("judged", "up to the differential run", " (goal 1.5)"),
            ("compared", "with it", ""),
        ):
            seconds = {path: float(getattr(took, part)) for path, took in kept.items()}
            for name, yardstick in (
                ("in a script of its own", {path: firsts[path] for path in kept}),
                ("in a script that exports all day", {path: took.bare for path, took in kept.items()}),
            ):
                ratio = statistics.median(seconds[path] / yardstick[path] for path in kept)
                ratios.append(ratio)
                print(
                    f"  confirm {goal}: {statistics.median(seconds.values()):.3f} s = {ratio:.2f} x "
                    f"bare export {name} ({statistics.median(yardstick.values()):.3f} s){aim}"
                )
        stages = [took.stages for took in kept.values()]
        print(
            "  until " + ", ".join(f"{stage} {statistics.median(s[stage] for s in stages):.3f} s" for stage in STAGES)
        )
    plain = script.times["first export"]
    print(
        f"from the start to the first verdict: {first:.2f} s; a plain script to its first export: {plain:.2f} s, "
        f"of which import torch {script.times['import torch']:.2f} s; {first - plain:+.2f} s (goal +0.5)"
    )
    return (
        f"up to the differential run {ratios[1]:.2f} × a bare export in a warm script, {ratios[0]:.2f} × in a script of its own; "
        f"the first verdict {first - plain:+.1f} s beside a plain script"
    )


def beside_an_export(edits: int) -> str:
    """Prints how much longer the diagnostics of an edit take while the server exports; returns the sum of it."""
    text = server_bench.source(1000)
    server, _ = server_bench.start()
    quiet: list[server_bench.Times] = []
    busy: list[server_bench.Times] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "slow.py")
        path.write_text(SLOW, encoding="utf-8")
        for part in range(server_bench.PARTS):
            quiet += server_bench.edits(server, text, edits, f"file:///bench/quiet{part}.py")
            export = {"command": "exportdb.export", "arguments": [{"uri": path.as_uri()}]}
            number = f"export{part}"
            server.send({"id": number, "method": "workspace/executeCommand", "params": export})
            time.sleep(1.0)
            during = server_bench.edits(server, text, edits, f"file:///bench/busy{part}.py")
            if number in server.answered:
                raise SystemExit("the export ended before the edits did: nothing was measured")
            busy += during
            server.wait_for(number)
    server.end()
    ratios: list[float] = []
    for number, what in enumerate(server_bench.Times._fields):
        before, during = (statistics.median(times[number] for times in side) for side in (quiet, busy))
        print(
            f"edit to diagnostics, {what}: {before * 1000:.1f} ms, {during * 1000:.1f} ms while an export runs "
            f"= {during / before:.2f} x (goal 1.2)"
        )
        ratios.append(during / before)
    return f"diagnostics take {ratios[0]:.2f} × as long while an export runs"


def main() -> None:
    """Prints the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=12)
    parser.add_argument("--edits", type=int, default=40)
    options = parser.parse_args()
    sums: list[str] = []
    if options.cases:
        sums.append(against_bare(options.cases))
    if options.edits:
        sums.append(beside_an_export(options.edits))
    print("; ".join(sums))


if __name__ == "__main__":
    main()
