"""How many models of public packages can confirm export with no configuration at all?

    python bench/inference.py [--limit N] [--packages DIR]

Every class with a `forward` of the packages below is exported as `exportdb-lsp export FILE::NAME` would, with nothing
but its file: constructor and inputs are guessed. Counted as reached: a model was built, ran in eager on guessed inputs, and
torch.export was asked. What export then said (it may well fail) is another question, and shown apart.
"""

from __future__ import annotations

import argparse
import collections
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from exportdb_lsp.confirm import targets
from exportdb_lsp.confirm.confirmer import Confirmer, Refused
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import Outcome
from exportdb_rules.finding import Mode

PACKAGES = {
    "monai/networks": "monai==1.5.1",
    "vector_quantize_pytorch": "vector-quantize-pytorch==1.32.0",
    "x_transformers": "x-transformers==2.31.10",
}
# What they import. torch is that of the interpreter.
NEEDED = ("einops==0.8.2", "einx==0.4.3", "loguru==0.7.3", "frozendict==2.5.1", "torch-einops-utils==0.2.0")


def install(directory: Path) -> None:
    """Puts the packages into `directory`, unless they are there."""
    if not all((directory / name).is_dir() for name in PACKAGES):
        requirements = [*PACKAGES.values(), *NEEDED]
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(directory), *requirements]
        subprocess.run(command, check=True)


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
    parser.add_argument("--quiet", action="store_true", help="the shares only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.packages or Path(temporary)
        install(directory)
        confirmer = Confirmer()
        try:
            measure(confirmer, directory, options.limit, options.quiet)
        finally:
            confirmer.close()


def measure(confirmer: Confirmer, directory: Path, limit: int, quiet: bool) -> None:
    """Exports the classes of all packages."""
    total: collections.Counter[Outcome | None] = collections.Counter()
    start = time.monotonic()
    for package, requirement in PACKAGES.items():
        outcomes: collections.Counter[Outcome | None] = collections.Counter()
        chosen = classes(directory, package)
        if limit:
            chosen = sorted(random.Random(0).sample(chosen, min(limit, len(chosen))))
        for path, name in chosen:
            request = ExportRequest(
                str(path), name=name, modes=(Mode.NON_STRICT,), root=directory, timeout=45, draft=False
            )
            try:
                (result,) = confirmer.run(request)
            except Refused as refused:
                outcomes[None] += 1
                print(f"{path.relative_to(directory)}::{name} refused: {refused}")
                continue
            outcomes[result.outcome] += 1
            if not quiet:
                inputs = f" {result.inputs.constructor} {result.inputs.args}" if result.inputs else ""
                message = result.message.splitlines()[0][:160]
                print(f"{path.relative_to(directory)}::{name} {result.outcome.value}:{inputs} {message}", flush=True)
        total.update(outcomes)
        say(requirement, outcomes)
    say("all", total)
    print(f"{time.monotonic() - start:.0f} s")


def say(name: str, outcomes: collections.Counter[Outcome | None]) -> None:
    """One line of shares."""
    count = sum(outcomes.values())
    reached = sum(n for outcome, n in outcomes.items() if outcome is not None and not outcome.untried)
    shares = ", ".join(f"{outcome.value if outcome else 'refused'} {n}" for outcome, n in outcomes.most_common())
    print(f"{name}: exported without configuration {reached} of {count} ({reached / max(1, count):.0%}); {shares}")


if __name__ == "__main__":
    main()
