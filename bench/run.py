"""Run benchmarks and write docs/benchmarks.md, and the table in the README.

    python bench/run.py [NAME]…

Without a name all are run, which takes hours on two cores. What a benchmark printed is kept in bench/results/, with the
day, the machine and the versions, so that they can be run one by one; the page and the table are written from these. The
benchmarks print ratios within one run, so that the figures hold on another machine; the machine is named all the same.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
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
# The table in the README stands between these.
MARKS = ("<!-- benchmarks -->", "<!-- end of benchmarks -->")
# What each measures, and its arguments; in the order of the page.
BENCHMARKS = {
    "accuracy": ("recall and false alarms of `check`, compared with real exports", ["--quick"]),
    "robust": ("`check` on every file of the standard library, torch and public packages", []),
    "shapes": (
        "sizes known before any export, compared with `Dim.AUTO` and eager",
        ["--limit", "600"],
    ),
    "operators": ("arguments and axes of torch's operators, compared with real exports", []),
    "speed": ("time of `check`, compared with parsing alone and with TorchFix", []),
    "lsp": ("latency and memory of the language server", []),
    "confirm": ("time of a verdict, compared with a bare export", []),
    "calls": ("verdicts on export calls, compared with running their programs", []),
    "calls_real": ("verdicts on export calls in tests of public packages", []),
    "goals": ("verdicts on ONNX models, compared with a plain script", ["--goal", "onnx", "--seconds", "3000"]),
    "goals_executorch": (
        "verdicts on ExecuTorch programs, compared with a plain script",
        ["--goal", "executorch", "--seconds", "3000"],
    ),
    "goals_aoti": (
        "verdicts on AOTInductor packages, compared with a plain script",
        ["--goal", "aoti", "--seconds", "3000"],
    ),
    "explain": ("rule and line of explained tracebacks, compared with real exports", []),
    "inference": ("public models exported without configuration", ["--quiet", "--limit", "40"]),
    "repair": ("broken models that export after their fixes", []),
    "fires": (
        "safe fixes on public packages: eager before and after",
        ["--all", "--no-survey", "--seconds", "900"],
    ),
}


# Those that are not named after their script.
SCRIPTS = {"goals_executorch": "goals", "goals_aoti": "goals"}


@dataclass(frozen=True)
class Row:
    """One row of the table in the README: a figure of a benchmark, and the value to compare it with.

    `pattern` finds the figure in the last line that the benchmark printed; `ours` and `anchor` show its groups. Without an
    `optional` figure there is no row.
    """

    benchmark: str
    measure: str
    pattern: str
    ours: str
    anchor: str
    optional: bool = False


_RECALL = "recall in non-strict and strict: .*"
TABLE = (
    Row("accuracy", "recall of `check`, data-dependent code (non-strict, strict)", rf"{_RECALL}\bdata (\S+) and ([\d.]+)",
        "{0}, {1}", "1.00: every line on which a real export fails"),
    Row("accuracy", "recall of `check`, dynamic shapes", rf"{_RECALL}\bdynamic (\S+) and ([\d.]+)", "{0}, {1}", "1.00"),
    Row("accuracy", "recall of `check`, other code", rf"{_RECALL}\bother (\S+) and ([\d.]+)", "{0}, {1}", "1.00"),
    Row("accuracy", "false alarms of `check` per 1,000 lines", r"(\S+) false alarms", "{0}", "0"),
    Row("accuracy", "recall of `check` on packages that no rule was worked out from (data-dependent, dynamic, other code)",
        r"on test \((\d+) failures\): data (\S+), dynamic (\S+), other (\S+), \S+ alarms", "{1}, {2}, {3}", "1.00 of {0} failures", optional=True),
    Row("accuracy", "false alarms of `check` per 1,000 lines of these (non-strict/strict)",
        r"on test .*: .* (\S+) alarms in 1,000 lines", "{0}", "0", optional=True),
    Row("accuracy", "recall on packages that rules were worked out from, beyond that on others", r"tune beyond test ([+-][\d.]+)",
        "{0}", "0.00", optional=True),
    Row("robust", "internal errors of `check` on the standard library, torch and public packages",
        r"(\d+) files: (\d+) internal errors", "{1} in {0} files", "0"),
    Row("shapes", "dimensions that `Dim.AUTO` specializes, known before any export (recall, precision)",
        r"recall (\S+), precision ([\d.]+) of (\d+) modules", "{0}, {1}", "1.00 in {2} modules"),
    Row("shapes", "shapes shown before any export: of assigned tensors, and right ones",
        r"shown for (\S+) of (\d+) assigned tensors, right (\S+)", "{0}, {2}", "1.00 of {1}"),
    Row("speed", "CPU time of `check`", r"cold (\S+) × parsing", "{0} ×", "1 × = parsing the files with libcst"),
    Row("speed", "speed of `check`, compared with TorchFix", r"torchfix (\S+) × our time", "{0} ×", "1 × = TorchFix"),
    Row("lsp", "diagnostics after an edit, median", r"an edit (\S+) × libcst", "{0} ×", "1 × = parsing the file with libcst"),
    Row("lsp", "memory of the language server", r"(\d+) MB with (\d+) documents", "{0} MB", "{1} open documents"),
    Row("confirm", "time of a verdict, before the comparison with eager",
        r"(\S+) × a bare export in a warm script, (\S+) × in a script of its own", "{0} ×, {1} ×",
        "1 × = `torch.export.export` in a running script, in a new script"),
    Row("calls", "correct verdicts of `export` on export calls", r"export: (\d+) of (\d+) calls", "{0}", "{1} calls"),
    Row("calls_real", "correct verdicts of `run` on the tests of public packages", r"run: (\d+) of (\d+) calls", "{0}",
        "{1} calls"),
    *(
        row
        for name, goal in {"goals": "onnx", "goals_executorch": "executorch", "goals_aoti": "aoti"}.items()
        for row in (
            Row(name, f"correct verdicts of `export --to {goal}`", r": (\d+) of (\d+) verdicts", "{0}", "{1} models"),
            Row(name, f"right lines of operators that `export --to {goal}` says are not supported",
                r"right line for (\d+) of (\d+) operators", "{0}", "{1} operators"),
            Row(name, f"right lines of dimensions that do not hold, `export --to {goal}`", r"and (\d+) of (\d+) dimensions",
                "{0}", "{1} dimensions"),
        )
    ),
    Row("explain", "tracebacks explained with the right rule, and the right line", r"right rule (\S+), right line ([\d.]+)",
        "{0}, {1}", "1.00"),
    Row("inference", "public models exported without configuration", r"configuration (\d+) of (\d+)", "{0}", "{1} models"),
    Row("repair", "broken models that export after their fixes", r"(\d+) of (\d+) broken models", "{0}", "{1} models"),
    Row("fires", "differences in eager after safe fixes of public packages",
        r"(\d+) classes and functions .*: (\d+) differences", "{1} in {0} classes and functions", "0"),
)  # fmt: skip


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
    command = [f"bench/{SCRIPTS.get(name, name)}.py", *BENCHMARKS[name][1]]
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
            "Generated by `make bench`, or by `python bench/run.py NAME` for a single benchmark; do not edit.\n",
            "| benchmark | measures | result | duration |\n|---|---|---|---|",
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


def shown(results: dict[str, Result]) -> list[Row]:
    """The rows that the table has: those of what was run, without the optional ones that it has no figure for."""
    return [
        row
        for row in TABLE
        if row.benchmark in results
        and not (row.optional and re.search(row.pattern, results[row.benchmark].headline) is None)
    ]


def table(results: dict[str, Result]) -> list[str]:
    """The table of the README, in Markdown; nothing of a benchmark without a result."""
    rows = ["| measure | ours | compare with | command |", "|---|---|---|---|"]
    for row in shown(results):
        figures = _figures(row, results[row.benchmark])
        ours, anchor = (row.ours.format(*figures), row.anchor.format(*figures)) if figures else ("failed", "")
        command = f"`python bench/run.py {row.benchmark}`"
        rows.append(f"| [{row.measure}](docs/benchmarks.md#{row.benchmark}) | {ours} | {anchor} | {command} |")
    return rows


def _figures(row: Row, result: Result) -> tuple[str, ...]:
    """The figures of a row; none of a benchmark that failed.

    Raises:
        ValueError: the benchmark prints its figures in another form than the row expects.
    """
    if result.status:
        return ()
    found = re.search(row.pattern, result.headline)
    if found is None:
        raise ValueError(f"{row.benchmark}: {row.pattern!r} is not in {result.headline!r}")
    return found.groups()


def with_table(readme: str, results: dict[str, Result]) -> str:
    """The text of the README with the table between the marks."""
    before, rest = readme.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    return "\n".join([f"{before}{MARKS[0]}", *table(results), f"{MARKS[1]}{after}"])


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
    README.write_text(with_table(README.read_text("utf-8"), results), "utf-8")
    print("written to docs/benchmarks.md and README.md")


if __name__ == "__main__":
    main()
