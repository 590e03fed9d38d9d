"""How many broken models export faithfully after `--fix --unsafe-fixes`, with no human hand.

The models are the cases and the examples that fail or diverge in non-strict export. Each is fixed in rounds as the
command line does it, exported, and called three times beside eager; a model counts as repaired if the export
succeeds and gives what the model gave before the fix, on every call. Prints a line for each model that is not
repaired, and why.

    python bench/repair.py [--mode strict] [--only SUBSTRING]
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import logging
import multiprocessing
import sys
import warnings
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "fixes"))

import proof  # noqa: E402

CASES = ROOT / "cases" / "exportdb_cases"
CALLS = 3
SECONDS = 120


def broken(support: dict[str, Any], name: str) -> bool:
    """Whether a case fails or diverges in non-strict export, as measured."""
    return support.get(name, {}).get("non-strict", {}).get("verdict") in ("fails", "diverges")


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--mode", choices=("non-strict", "strict"), default="non-strict")
    arguments.add_argument("--only", default="")
    options = arguments.parse_args()
    measured = json.loads((CASES / "support" / "2.13.0.json").read_text())
    support = measured.get("cases", measured)
    paths = [p for p in sorted(CASES.glob("*/*.py")) if broken(support, p.stem) and options.only in p.stem]
    repaired = 0
    offered = 0
    for path in paths:
        outcome, titles = judged(path, options.mode)
        repaired += outcome == "repaired"
        offered += bool(titles)
        if outcome != "repaired":
            print(f"{path.parent.name}/{path.stem}: {outcome}", flush=True)
    share = 100 * repaired / max(1, len(paths))
    print(f"{repaired} of {len(paths)} broken models repaired ({share:.0f} %), {offered} with a fix offered")
    return 0


def judged(path: Path, mode: str) -> tuple[str, list[str]]:
    """What became of a model, tried in a process of its own: it may hang or crash."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_tried, args=(path, mode, sender))
    process.start()
    answer = ("took too long", [])
    if receiver.poll(SECONDS):
        with contextlib.suppress(EOFError):
            answer = receiver.recv()
    process.kill()
    process.join()
    return answer


def _tried(path: Path, mode: str, sender: Any) -> None:
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            answer = _repaired(path, mode)
        except Exception as error:
            answer = (f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error) else ''}"[:150], [])
    sender.send(answer)
    sender.close()


def _repaired(path: Path, mode: str) -> tuple[str, list[str]]:
    text = path.read_text()
    fixed = proof.repair(text)
    before, after = proof.load(text), proof.load(fixed.text)
    shapes = before.get("dynamic_shapes")
    args, kwargs = tuple(before["example_args"]), before.get("example_kwargs", {})
    kwargs = dict(kwargs)
    left = ", ".join(sorted({f"{f.code} at line {f.span.start.row}" for f in fixed.left}))
    if not fixed.titles:
        return (f"no fix ({left or 'no finding'})", [])
    torch.manual_seed(0)
    exported = torch.export.export(
        copy.deepcopy(after["model"]), args, kwargs, dynamic_shapes=shapes, strict=mode == "strict"
    ).module()
    model = before["model"]
    for call in range(CALLS):
        inputs = copy.deepcopy((args, kwargs))
        truth = proof.play(lambda *a, k=inputs[1]: model(*a, **k), [inputs[0]])
        inputs = copy.deepcopy((args, kwargs))
        traced = proof.play(lambda *a, k=inputs[1]: exported(*a, **k), [inputs[0]])
        differs = proof.difference(truth, traced)
        if differs:
            return (f"computes something else, call {call}: {differs}"[:150], fixed.titles)
    return ("repaired", fixed.titles)


if __name__ == "__main__":
    sys.exit(main())
