"""Run every benchmark and write docs/benchmarks.md: one table with the last line of each, and what each printed.

    python bench/run.py [NAME]…

The benchmarks print ratios within one run, so that the figures hold on another machine; the machine is named all the same.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
# What each is about, and how it is called; in the order of the page.
BENCHMARKS = {
    "accuracy": ("recall and false alarms against real exports", []),
    "robust": ("every file of the standard library, torch and public packages", []),
    "speed": ("check, beside the time of parsing alone", []),
    "lsp": ("the language server", []),
    "confirm": ("one confirm, beside a bare export", []),
    "inference": ("models exported with no configuration", ["--quiet"]),
    "repair": ("broken models that export after their fixes", []),
}


def run(name: str) -> tuple[str, str, float]:
    """What a benchmark printed, its last line, and how long it took. One that fails is in the table as such."""
    started = time.monotonic()
    command = [sys.executable, str(HERE / f"{name}.py"), *BENCHMARKS[name][1]]
    done = subprocess.run(command, cwd=HERE.parent, stdout=subprocess.PIPE, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    last = lines[-1].strip() if lines else "printed nothing"
    if done.returncode:
        last = f"ended with status {done.returncode}: {last}"
    return done.stdout.rstrip(), last, time.monotonic() - started


def main() -> None:
    """Run the named ones, or all."""
    names = sys.argv[1:] or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        raise SystemExit(f"no benchmark {', '.join(unknown)}: there are {', '.join(BENCHMARKS)}")
    results = {}
    for name in names:
        print(f"{name} …", file=sys.stderr, flush=True)
        results[name] = run(name)
    installed = ", ".join(f"{package} {version(package)}" for package in ("torch", "libcst", "pygls"))
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    rows = [
        f"| [{name}](#{name}) | {BENCHMARKS[name][0]} | {last.replace('|', '/')} | {seconds:.0f} s |"
        for name, (_, last, seconds) in results.items()
    ]
    parts = [
        f"## {name}\n\n`python bench/{name}.py`\n\n```text\n{text}\n```\n" for name, (text, _, _) in results.items()
    ]
    PAGE.write_text(
        "# Benchmarks\n\nWritten by `make bench`; do not edit. "
        f"Measured on {machine}; {installed}; exportdb-lsp {version('exportdb-lsp')}.\n\n"
        "| benchmark | of what | result | took |\n|---|---|---|---|\n" + "\n".join(rows) + "\n\n" + "\n".join(parts),
        "utf-8",
    )
    print(f"written to {PAGE.relative_to(HERE.parent)}")


if __name__ == "__main__":
    main()
