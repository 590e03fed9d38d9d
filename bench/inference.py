"""How many models of public packages can confirm export with no configuration at all?

    python bench/inference.py [--limit N] [--only PACKAGE] [--packages DIR] [--keep FILE --seconds N]

Every class with a `forward` of the packages below is exported as `exportdb-lsp export FILE::NAME` would, with nothing
but its file: constructor and inputs are guessed. Counted as reached: a model was built, ran in eager on guessed inputs, and
torch.export was asked. What export then said (it may well fail) is another question, and shown apart.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import packages
from exportdb_lsp.confirm import targets
from exportdb_lsp.confirm.confirmer import Confirmer, RequestError
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_rules.finding import Mode

PACKAGES = {
    "monai/networks": "monai==1.5.1",
    "vector_quantize_pytorch": "vector-quantize-pytorch==1.32.0",
    "x_transformers": "x-transformers==2.31.10",
}
# What they import. torch is that of the interpreter.
NEEDED = ("einops==0.8.2", "einx==0.4.3", "loguru==0.7.3", "frozendict==2.5.1", "torch-einops-utils==0.2.0")


def classes(directory: Path, package: str) -> list[tuple[Path, str]]:
    """Every class of a package that has a forward."""
    found: list[tuple[Path, str]] = []
    for path in sorted((directory / package).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found += [(path, target.name) for target in targets.find(text, str(path)) if target.kind == "class"]
    return found


def main() -> None:
    """Prints one line a class, then the shares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, default=0, help="so many classes of each package, drawn with a fixed seed")
    parser.add_argument("--packages", type=Path, help="where the packages are, or shall be installed")
    parser.add_argument("--only", action="append", choices=PACKAGES, help="this package; may be given more than once")
    parser.add_argument("--quiet", action="store_true", help="the shares only")
    parser.add_argument(
        "--keep", type=Path, help="a file of results: what is in it is not asked again, what is asked is added"
    )
    parser.add_argument(
        "--seconds", type=float, default=0, help="stop after so long; with --keep, to go on another time"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.packages or Path(temporary)
        packages.install(directory, (*PACKAGES.values(), *NEEDED))
        confirmer = Confirmer()
        try:
            measure(confirmer, directory, options)
        finally:
            confirmer.close()


def measure(confirmer: Confirmer, directory: Path, options: argparse.Namespace) -> None:
    """Exports the classes of all packages."""
    kept = read(options.keep)
    total, total_reached = collections.Counter[str](), 0
    start = time.monotonic()
    for package, requirement in PACKAGES.items():
        if options.only and package not in options.only:
            continue
        outcomes, reached = collections.Counter[str](), 0
        chosen = classes(directory, package)
        if options.limit:
            chosen = sorted(random.Random(0).sample(chosen, min(options.limit, len(chosen))))
        for path, name in chosen:
            key = f"{path.relative_to(directory)}::{name}"
            row = kept.get(key)
            # Some packages bring their tests: what those call would be no guess.
            root = directory / package.partition("/")[0]
            if row is None:
                if options.seconds and time.monotonic() - start > options.seconds:
                    outcomes["not asked"] += 1
                    continue
                row = {"class": key, **asked(confirmer, root, path, name)}
                if options.keep:
                    with options.keep.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
            outcomes[row["outcome"]] += 1
            reached += row["reached"]
            if not options.quiet:
                print(f"{key} {row['outcome']}: {row['inputs']} {row['message']}", flush=True)
        total.update(outcomes)
        total_reached += reached
        say(requirement, outcomes, reached)
    print(f"{time.monotonic() - start:.0f} s")
    say("all", total, total_reached)


def read(path: Path | None) -> dict[str, dict[str, Any]]:
    """The results that a run before has kept, by class."""
    if path is None or not path.is_file():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["class"]: row for row in rows}


def asked(confirmer: Confirmer, root: Path, path: Path, name: str) -> dict[str, Any]:
    """What became of one class."""
    request = ExportRequest(str(path), name=name, modes=(Mode.NON_STRICT,), root=root, timeout=45, draft=False)
    try:
        (result,) = confirmer.run(request)
    except RequestError as refused:
        return {"outcome": "refused", "reached": False, "inputs": "", "message": str(refused)}
    inputs = f"{result.inputs.constructor} {result.inputs.args}" if result.inputs else ""
    # Without inputs it was the guessing that took too long, or too much.
    reached = bool(inputs) and not result.outcome.untried
    message = result.message.splitlines()[0][:400]
    return {"outcome": result.outcome.value, "reached": reached, "inputs": inputs, "message": message}


def say(name: str, outcomes: collections.Counter[str], reached: int) -> None:
    """One line of shares."""
    count = sum(outcomes.values())
    shares = ", ".join(f"{outcome} {n}" for outcome, n in outcomes.most_common())
    print(f"{name}: exported without configuration {reached} of {count} ({reached / max(1, count):.0%}); {shares}")


if __name__ == "__main__":
    main()
