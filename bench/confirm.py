"""What does confirm add to a bare torch.export.export?

    python bench/confirm.py [--cases N]

For cases that export: the wall time of one confirm on a warm worker, up to the differential run and with it, over the
time of a bare `torch.export.export` of the same model in a plain script that has exported something before. Then the time from
the start of a worker to its first verdict, over the time of `import torch`.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import Outcome
from exportdb_rules.finding import Mode

CASES = Path(__file__).parent.parent / "cases" / "exportdb_cases"
BARE = """
import importlib.util, json, sys, time
start = time.perf_counter()
import torch
times = {"import torch": time.perf_counter() - start}
torch.export.export(torch.nn.Linear(2, 2), (torch.randn(2, 2),))
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


def bare(paths: list[Path]) -> dict[str, float]:
    """Seconds of `import torch`, and of each export in a plain script."""
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


def main() -> None:
    """Prints the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=24)
    options = parser.parse_args()
    paths = sorted(path for path in CASES.glob("*/*.py") if path.stem != "__init__" and path.stem.endswith("_ok"))
    paths = random.Random(0).sample(paths, min(options.cases, len(paths)))
    times = bare(paths)
    start = time.perf_counter()
    confirmer = Confirmer()
    try:
        confirmed(confirmer, paths[0])
        first = time.perf_counter() - start
        rows = [(path, confirmed(confirmer, path)) for path in paths if str(path) in times]
    finally:
        confirmer.close()
    kept = [(times[str(path)], seconds) for path, seconds in rows if seconds is not None]
    print(f"{len(kept)} cases, non-strict; bare export: median {statistics.median(b for b, _ in kept):.3f} s")
    print(
        f"confirm up to the differential run: median {statistics.median(c[0] for _, c in kept):.3f} s, "
        f"ratio {statistics.median(c[0] / b for b, c in kept):.2f}, added {statistics.median(c[0] - b for b, c in kept):.3f} s"
    )
    print(
        f"confirm with the differential run: median {statistics.median(c[1] for _, c in kept):.3f} s, "
        f"ratio {statistics.median(c[1] / b for b, c in kept):.2f}"
    )
    print(f"import torch: {times['import torch']:.2f} s; start of a worker to its first verdict: {first:.2f} s")


if __name__ == "__main__":
    main()
