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

import lsp as server_bench
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import Outcome
from exportdb_rules.finding import Mode

# Seconds between two confirms of somebody who presses a button. The worker makes itself ready for the next meanwhile.
PAUSE = 3.0
CASES = Path(__file__).parent.parent / "cases" / "exportdb_cases"
BARE = """
import time
start = time.perf_counter()
import importlib.util, json, sys
import torch
times = {"import torch": time.perf_counter() - start}
if len(sys.argv) != 2:
    torch.export.export(torch.nn.Linear(2, 2), (torch.randn(2, 2),))
    times["first export"] = time.perf_counter() - start
for path in sys.argv[1:]:
    spec = importlib.util.spec_from_file_location("case", path)
    case = importlib.util.module_from_spec(spec)
    sys.modules["case"] = case
    spec.loader.exec_module(case)
    shapes = getattr(case, "dynamic_shapes", None)
    start = time.perf_counter()
    try:
        torch.export.export(case.model, case.example_args, getattr(case, "example_kwargs", None), dynamic_shapes=shapes)
    except Exception:
        continue
    times[path] = time.perf_counter() - start
print("\\n" + json.dumps(times))
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


def bare(paths: list[Path]) -> dict[str, float]:
    """Seconds of `import torch`, of everything up to the first export, and of each export in a plain script."""
    command = [sys.executable, "-c", BARE, *map(str, paths)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def confirmed(confirmer: Confirmer, path: Path) -> tuple[float, float] | None:
    """Seconds until the differential run and until the end; None for a model that does not export faithfully."""
    marks: dict[str, float] = {}
    start = time.perf_counter()

    def note(text: str) -> None:
        marks.setdefault(text.rpartition(": ")[2], time.perf_counter() - start)

    request = ExportRequest(str(path), modes=(Mode.NON_STRICT,), root=path.parent, draft=False)
    (result,) = confirmer.run(request, on_progress=note)
    if result.outcome is not Outcome.OK:
        return None
    return marks["compare"], time.perf_counter() - start


def confirmed_in_turn(confirmer: Confirmer, paths: list[Path], pause: float) -> dict[str, tuple[float, float]]:
    """What each confirm took, of those that export faithfully; with a pause before each."""
    kept: dict[str, tuple[float, float]] = {}
    for path in paths:
        time.sleep(pause)
        took = confirmed(confirmer, path)
        if took is not None:
            kept[str(path)] = took
    return kept


def against_bare(count: int) -> None:
    """Prints what confirm costs over a bare export."""
    paths = sorted(path for path in CASES.glob("*/*.py") if path.stem != "__init__" and path.stem.endswith("_ok"))
    paths = random.Random(0).sample(paths, min(count, len(paths)))
    times = bare(paths)
    alone = {str(path): bare([path])[str(path)] for path in paths if str(path) in times}
    start = time.perf_counter()
    confirmer = Confirmer()
    try:
        confirmed(confirmer, paths[0])
        first = time.perf_counter() - start
        runs = {
            pause: confirmed_in_turn(confirmer, [path for path in paths if str(path) in times], pause)
            for pause in (PAUSE, 0.0)
        }
    finally:
        confirmer.close()
    for pause, kept in runs.items():
        print(f"{len(kept)} cases, non-strict, " + (f"one every {pause:.0f} s" if pause else "without a pause"))
        for part, goal in ((0, "up to the differential run"), (1, "with it")):
            for name, yardstick in (("in a script of its own", alone), ("in a script that exports all day", times)):
                ratio = statistics.median(took[part] / yardstick[path] for path, took in kept.items())
                bare_seconds = statistics.median(yardstick[path] for path in kept)
                seconds = statistics.median(took[part] for took in kept.values())
                aim = "" if part else " (goal 1.5)"
                print(
                    f"  confirm {goal}: {seconds:.3f} s = {ratio:.2f} x bare export {name} ({bare_seconds:.3f} s){aim}"
                )
    plain = times["first export"]
    print(
        f"from the start to the first verdict: {first:.2f} s; a plain script to its first export: {plain:.2f} s, "
        f"of which import torch {times['import torch']:.2f} s; {first - plain:+.2f} s (goal +0.5)"
    )


def beside_an_export(edits: int) -> None:
    """Prints how much longer the diagnostics of an edit take while the server exports."""
    text = server_bench.source(1000)
    server, _ = server_bench.start()
    quiet: list[server_bench.Times] = []
    busy: list[server_bench.Times] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "slow.py")
        path.write_text(SLOW, encoding="utf-8")
        for part in range(server_bench.PARTS):
            quiet += server_bench.edits(server, text, edits, f"file:///bench/quiet{part}.py")
            export = {"command": "exportdb.export", "arguments": [{"uri": path.as_uri(), "mode": "non-strict"}]}
            number = f"export{part}"
            server.send({"id": number, "method": "workspace/executeCommand", "params": export})
            time.sleep(1.0)
            during = server_bench.edits(server, text, edits, f"file:///bench/busy{part}.py")
            if number in server.answered:
                raise SystemExit("the export ended before the edits did: nothing was measured")
            busy += during
            server.wait_for(number)
    server.end()
    for number, what in enumerate(server_bench.Times._fields):
        before, during = (statistics.median(times[number] for times in side) for side in (quiet, busy))
        print(
            f"edit to diagnostics, {what}: {before * 1000:.1f} ms, {during * 1000:.1f} ms while an export runs "
            f"= {during / before:.2f} x (goal 1.2)"
        )


def main() -> None:
    """Prints the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=12)
    parser.add_argument("--edits", type=int, default=40)
    options = parser.parse_args()
    if options.cases:
        against_bare(options.cases)
    if options.edits:
        beside_an_export(options.edits)


if __name__ == "__main__":
    main()
