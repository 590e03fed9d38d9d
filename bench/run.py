"""Run benchmarks and write docs/benchmarks.md, and the headlines in the README: the last line of each.

    python bench/run.py [NAME]…

Without a name all are run, which takes hours on two cores. What a benchmark printed is kept in bench/results/, with the
day, the machine and the versions, so that they can be run one by one; the page is put together from what is kept. They
print ratios within one run, so that the figures hold on another machine; the machine is named all the same.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
KEPT = HERE / "results"
PAGE = HERE.parent / "docs" / "benchmarks.md"
README = HERE.parent / "README.md"
# Between these stand the headline figures in the README.
MARKS = ("<!-- benchmarks -->", "<!-- end of benchmarks -->")
# What each is about, and how it is called; in the order of the page.
BENCHMARKS = {
    "accuracy": ("recall and false alarms against real exports", ["--quick"]),
    "robust": ("every file of the standard library, torch and public packages", []),
    "speed": ("check, beside the time of parsing alone", []),
    "lsp": ("the language server", []),
    "confirm": ("one confirm, beside a bare export", []),
    "calls": ("the verdict on an export call, beside running its program", []),
    "calls_real": ("the same for tests that public packages ship", []),
    "explain": ("tracebacks of real exports, explained", []),
    "inference": ("models exported with no configuration", ["--quiet", "--limit", "40"]),
    "repair": ("broken models that export after their fixes", []),
    "fires": (
        "safe fixes on public packages that none was written for: eager before and after",
        ["--no-survey", "--models", "3", "--seconds", "150", "--within", "1300"],
    ),
}


@dataclass(frozen=True)
class Result:
    """What one run of a benchmark printed, and of what: `status` is its exit status, `seconds` what it took."""

    command: str
    text: str
    status: int
    seconds: float
    day: str
    machine: str
    versions: str

    @property
    def headline(self) -> str:
        """Its last line. One that failed is in the table as such."""
        lines = [line.strip() for line in self.text.splitlines() if line.strip()]
        last = lines[-1] if lines else "printed nothing"
        return f"ended with status {self.status}: {last}" if self.status else last


def run(name: str) -> Result:
    """Run a benchmark."""
    command = [f"bench/{name}.py", *BENCHMARKS[name][1]]
    started = time.monotonic()
    done = subprocess.run([sys.executable, *command], cwd=HERE.parent, stdout=subprocess.PIPE, text=True, check=False)
    return Result(
        " ".join(command),
        done.stdout.rstrip(),
        done.returncode,
        time.monotonic() - started,
        datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        ", ".join(f"{package} {version(package)}" for package in ("exportdb-lsp", "torch", "libcst", "pygls")),
    )


def page(results: dict[str, Result]) -> str:
    """The page, in Markdown."""
    rows = [
        f"| [{name}](#{name}) | {BENCHMARKS[name][0]} | {result.headline.replace('|', '/')} | {result.seconds:.0f} s |"
        for name, result in results.items()
    ]
    parts = [
        f"## {name}\n\n`python {result.command}`, {result.day}, on {result.machine}; {result.versions}.\n\n"
        f"```text\n{result.text}\n```\n"
        for name, result in results.items()
    ]
    missing = [f"`{name}`" for name in BENCHMARKS if name not in results]
    notes = [f"Not run yet: {', '.join(missing)}.\n"] if missing else []
    return "\n".join(
        [
            "# Benchmarks\n",
            "Written by `make bench`, or `python bench/run.py NAME` for one of them; do not edit.\n",
            "| benchmark | of what | result | took |\n|---|---|---|---|",
            *rows,
            "",
            *notes,
            *parts,
        ]
    )


def kept() -> dict[str, Result]:
    """What each benchmark printed last."""
    paths = {name: KEPT / f"{name}.json" for name in BENCHMARKS}
    return {name: Result(**json.loads(path.read_text("utf-8"))) for name, path in paths.items() if path.is_file()}


def with_headlines(readme: str, results: dict[str, Result]) -> str:
    """The text of the README with the headline of each result between the marks."""
    before, rest = readme.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    rows = [f"| {BENCHMARKS[name][0]} | {result.headline.replace('|', '/')} |" for name, result in results.items()]
    return "\n".join([f"{before}{MARKS[0]}", "| of what | result |", "|---|---|", *rows, f"{MARKS[1]}{after}"])


def main() -> None:
    """Run the named ones, or all; write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *BENCHMARKS], metavar="NAME")
    KEPT.mkdir(exist_ok=True)
    for name in parser.parse_args().names or BENCHMARKS:
        print(f"{name} …", file=sys.stderr, flush=True)
        (KEPT / f"{name}.json").write_text(json.dumps(asdict(run(name)), indent=1) + "\n", "utf-8")
    results = kept()
    PAGE.write_text(page(results), "utf-8")
    README.write_text(with_headlines(README.read_text("utf-8"), results), "utf-8")
    print("written to docs/benchmarks.md and README.md")


if __name__ == "__main__":
    main()
