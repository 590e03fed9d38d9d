"""Is the verdict on an export call the outcome that the call has when its program is run?

    python bench/calls.py [--only TEXT] [--jobs N] [--keep FILE]

Each program of bench/calls/programs makes its export calls the way people do. It is run plainly, beside nothing but
bench/calls/recorder, which writes down whether each call returned or raised; then under `exportdb-lsp run`, which must
leave what it prints and its exit status as they are; then `exportdb-lsp export FILE` is asked about it, beside the calls
that the file makes without arguments. Each time it lies in a folder of its own. A verdict agrees if it is `fails` for a
call that raised, or `ok`, `diverges` or `specializes` for one that returned. The calls that no result speaks of, or one
with another outcome (`not-rebuilt`, `no-inputs`, `timeout`, …), are without a verdict.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from packages import BENCH, STORE
from rich.console import Console
from rich.table import Table

PROGRAMS = BENCH / "calls" / "programs"
RECORDER = BENCH / "calls" / "recorder"
# What torch.onnx.export(dynamo=True) needs.
NEEDED = ("onnxscript==0.7.2", "onnx==1.22.0", "onnx-ir==1.1.0", "ml-dtypes==0.6.0", "protobuf==7.36.2")
# How a program is started that is not a plain script; "-m" is Python's.
COMMANDS: dict[str, list[str]] = {
    "place/argparse_dynamic_flag": ["main.py", "--dynamic", "--batch", "4"],
    "place/argparse_default": ["main.py"],
    "place/argv_strict_flag": ["main.py", "strict"],
    "place/module_of_a_package": ["-m", "exporter"],
}
RETURNED = ("ok", "diverges", "specializes")
SECONDS = 240


@dataclass(frozen=True)
class Program:
    """A program: its kind, its name, the file or folder that it is, and how Python starts it."""

    kind: str
    name: str
    path: Path
    command: list[str]

    @property
    def file(self) -> str:
        """The file that `exportdb-lsp export` is asked about, in the folder where the program runs."""
        if self.path.is_file():
            return self.path.name
        main = next(part for part in reversed(self.command) if not part.startswith("-") or part.endswith(".py"))
        return "main.py" if (self.path / "main.py").is_file() else f"{main}/__main__.py"

    @property
    def plainly(self) -> list[str]:
        """The command that the file has by itself: `export FILE` knows of no arguments."""
        module = self.command[0] == "-m"
        return self.command if module else self.command[:1]

    def put(self, folder: Path) -> None:
        """Copies it to where it is run."""
        if self.path.is_dir():
            shutil.copytree(self.path, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(self.path, folder)


@dataclass
class Ran:
    """What a process did."""

    status: int | str
    output: str
    errors: str


@dataclass
class Judged:
    """The calls of one program beside the results of one command."""

    verdicts: list[str] = field(default_factory=list)
    """For each call: agreed, false ok, false fails, no verdict."""
    outcomes: list[str] = field(default_factory=list)
    """The outcome that the product gave to each call."""
    extra: int = 0
    """Results for which there was no call."""
    note: str = ""

    def count(self, verdict: str) -> int:
        """How many calls have this verdict."""
        return self.verdicts.count(verdict)


def programs() -> list[Program]:
    """All programs. Directly in the folder of a kind, a file is a program, and a folder is one of several files."""
    found: list[Program] = []
    for path in sorted(PROGRAMS.glob("*/*")):
        kind, name = path.parent.name, path.stem
        if name == "__pycache__":
            continue
        default = ["main.py"] if path.is_dir() else [path.name]
        if name.startswith("test_"):
            default = ["-m", "pytest", "-q", "-p", "no:cacheprovider", path.name]
        elif name.startswith("unittest_"):
            default = ["-m", "unittest", "-q", path.stem]
        found.append(Program(kind, name, path, COMMANDS.get(f"{kind}/{name}", default)))
    return found


def environment(name: str = "calls", requirements: tuple[str, ...] = NEEDED) -> Path:
    """The interpreter of a virtual environment that has this one's packages and those that are required."""
    folder = STORE / name
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    done = folder / "requirements.txt"
    wanted = "\n".join(requirements)
    if not done.is_file() or done.read_text("utf-8") != wanted:
        venv.create(folder, clear=True, with_pip=False)
        paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", paths["purelib"]]
        subprocess.run([*command, *requirements], check=True)
        Path(paths["purelib"], "exportdb_bench.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", "utf-8")
        done.write_text(wanted, "utf-8")
    return python


def execute(command: list[str], folder: Path, seconds: float = SECONDS, **variables: str) -> Ran:
    """Runs a command in a folder, with nothing of ours in its environment but what is given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "EXPORT"))}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**kept, "COLUMNS": "100", "NO_COLOR": "1", **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Ran("timeout", "", "")
    return Ran(done.returncode, done.stdout, done.stderr)


def same(text: str, other: str) -> bool:
    """Whether two outputs are equal but for times, progress, addresses, numbers of processes and torch's own trace."""
    return _steady(text) == _steady(other)


def difference(text: str, other: str) -> list[str]:
    """The lines in which two outputs that are not the same differ."""
    lines = difflib.unified_diff(
        _steady(text).splitlines(), _steady(other).splitlines(), "plain", "run", lineterm="", n=0
    )
    return list(lines)


def _steady(text: str) -> str:
    # tqdm draws a bar anew after a while, at "\r", which text mode reads as the end of a line.
    text = re.sub(r"(?m)^.*\b\d+/\d+ \[\d\d:\d\d<.*\]\n?", "", text)
    text = re.sub(r"\b\d+(\.\d+)?\s?(ms|s|seconds?)\b(?:\s?\(\d+:\d\d:\d\d\))?", "<time>", text)
    # `data_ptr()` is an address in decimal: those of a process have 14 or 15 digits.
    text = re.sub(r"0x[0-9a-f]{6,}|\b\d{14,15}\b", "<address>", text)
    # A line of torch's log begins with the time and the process.
    text = re.sub(r"(?m)^([VIWE]\d{4}) \d\d:\d\d:\d\d\.\d+ \d+", r"\1", text)
    # torch traces the name of each file that is on the stack; `run` is on it. pytest shows that of a failed test.
    text = re.sub(r"(?m)^DEBUG +torch\.__trace:structured\.py:\d+ *\n", "", text)
    # pytest fills its closing line up to the width of the terminal.
    return re.sub(r"=+", "=", text)


def recorded(
    python: Path, command: list[str], folder: Path, seconds: float = SECONDS, **variables: str
) -> tuple[list[dict], Ran]:
    """The calls of a program that is run plainly with the recorder, in the order in which they were made."""
    log = folder / ".export-calls"
    ran = execute(
        [str(python), *command], folder, seconds, EXPORT_CALLS=str(log), PYTHONPATH=str(RECORDER), **variables
    )
    lines = log.read_text("utf-8").splitlines() if log.is_file() else []
    log.unlink(missing_ok=True)
    return sorted((json.loads(line) for line in lines), key=lambda row: row["number"]), ran


def run_watched(
    python: Path, command: list[str], folder: Path, seconds: float = SECONDS, **variables: str
) -> tuple[list[dict], Ran]:
    """The results of `exportdb-lsp run`, and what became of the program."""
    results = folder / ".export-results.json"
    ours = [sys.executable, "-m", "exportdb_lsp", "run", "--python", str(python), "--results", str(results)]
    ran = execute([*ours, *command], folder, seconds, XDG_CACHE_HOME=str(folder / ".export-cache"), **variables)
    return _results(results.read_text("utf-8") if results.is_file() else ""), ran


def asked(python: Path, file: str, folder: Path) -> tuple[list[dict], Ran]:
    """The results of `exportdb-lsp export`."""
    ours = [sys.executable, "-m", "exportdb_lsp", "export", file, "--python", str(python), "--output-format", "json"]
    ran = execute(ours, folder, XDG_CACHE_HOME=str(folder / ".export-cache"))
    return _results(ran.output), ran


def _results(text: str) -> list[dict]:
    try:
        rows = json.loads(text)
    except ValueError:
        return []
    return rows if isinstance(rows, list) else []


def verdict(call: dict[str, Any], outcome: str) -> str:
    """Whether an outcome is that of the call.

    `eager-error` agrees with a call that raised where eager raises as well, and is no verdict elsewhere: what it speaks
    of is not the call.
    """
    raised = call["outcome"] == "raised"
    if outcome in RETURNED:
        return "false ok" if raised else "agreed"
    if outcome == "fails":
        return "agreed" if raised else "false fails"
    if outcome == "eager-error" and raised and call["eager_raises"]:
        return "agreed"
    return "no verdict"


def in_order(calls: list[dict], rows: list[dict]) -> Judged:
    """The calls beside the results of `run`, which come in the order of the calls.

    If there are more or fewer, those are taken together whose models have the same names.
    """
    pairs: dict[int, dict] = {}
    if len(calls) == len(rows):
        pairs = dict(enumerate(rows))
    else:
        blocks = difflib.SequenceMatcher(
            None, [call["model"] for call in calls], [_class(row) for row in rows], autojunk=False
        ).get_matching_blocks()
        for block in blocks:
            pairs |= {block.a + n: rows[block.b + n] for n in range(block.size)}
    return _judged(calls, rows, pairs)


def by_class(calls: list[dict], rows: list[dict]) -> Judged:
    """The calls beside the results of `export`: each takes the first result for its class that is left.

    One that names the line of the call goes before one that does not, and never to another line. What is left over is
    taken together in order if there are as many results as calls.
    """
    left = list(enumerate(rows))
    pairs: dict[int, dict] = {}
    for number, call in enumerate(calls):
        fitting = [
            item for item in left if _class(item[1]) == call["model"] and _line(item[1]) in (call.get("row"), None)
        ]
        hit = min(fitting, key=lambda item: (_line(item[1]) is None, item[0]), default=None)
        if hit is not None:
            left.remove(hit)
            pairs[number] = hit[1]
    open_calls = [number for number in range(len(calls)) if number not in pairs]
    if len(open_calls) == len(left):
        in_turn = zip(open_calls, left, strict=True)
        pairs |= {number: row for number, (_, row) in in_turn if _line(row) in (calls[number].get("row"), None)}
    return _judged(calls, rows, pairs)


def _line(row: dict[str, Any]) -> int | None:
    """The line of the call that a result is of, where it names one."""
    line = str(row.get("call") or "").rpartition(":")[2]
    return int(line) if line.isdigit() else None


def _class(row: dict[str, Any]) -> str:
    return re.split(r"[.:\[(#@ ]", str(row.get("target", "")).replace("<locals>.", "").rpartition(".")[2])[0]


def _judged(calls: list[dict], rows: list[dict], pairs: dict[int, dict]) -> Judged:
    judged = Judged(extra=len(rows) - len(pairs))
    for number, call in enumerate(calls):
        row = pairs.get(number)
        outcome = str(row["outcome"]) if row else "none"
        judged.verdicts.append(verdict(call, outcome))
        judged.outcomes.append(outcome)
        if row and not judged.note and judged.verdicts[-1] != "agreed":
            judged.note = str(row.get("message", "")).strip().partition("\n")[0][:200]
    return judged


@dataclass
class Measured:
    """One program: its calls when it is run plainly, and what the product said."""

    kind: str
    name: str
    calls: list[dict]
    alone: list[dict]
    """The calls that it makes without arguments, which are those that `export` is asked about."""
    run: Judged
    export: Judged
    output: bool
    """Under `run` it printed what it prints alone."""
    status: bool
    """Under `run` it ended with the status that it ends with alone."""
    plain_status: int | str
    run_status: int | str

    def made(self, command: str) -> list[dict]:
        """The calls that a command is measured against."""
        return self.alone if command == "export" else self.calls


def measure(program: Program, python: Path) -> Measured:
    """Runs one program plainly, under `run` and through `export`."""
    with tempfile.TemporaryDirectory(prefix="export-calls-") as scratch:
        folders = [Path(scratch, part, "project") for part in ("plain", "export", "run", "by itself")]
        for folder in folders:
            folder.mkdir(parents=True)
            program.put(folder)
        calls, plain = recorded(python, program.command, folders[0])
        export_rows, export_ran = asked(python, program.file, folders[1])
        run_rows, run_ran = run_watched(python, program.command, folders[2])
        alone = calls
        if program.plainly != program.command:
            alone, _ = recorded(python, program.plainly, folders[3])
        by_export, by_run = by_class(alone, export_rows), in_order(calls, run_rows)
        by_export.note = by_export.note or (_last(export_ran.errors) if not export_rows else "")
        by_run.note = by_run.note or (_last(run_ran.errors) if not run_rows else "")

        printed, watched = (
            ran.output.replace(str(folder), "<folder>") for ran, folder in ((plain, folders[0]), (run_ran, folders[2]))
        )
        if not same(printed, watched):
            # pytest shows every frame of an error: the recorder is one, too.
            unrecorded = execute([str(python), *program.command], folders[0])
            printed = unrecorded.output.replace(str(folders[0]), "<folder>")
        return Measured(
            program.kind,
            program.name,
            calls,
            alone,
            by_run,
            by_export,
            same(printed, watched),
            plain.status == run_ran.status,
            plain.status,
            run_ran.status,
        )


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


VERDICTS = ("agreed", "false ok", "false fails", "no verdict")


def table(results: list[Measured]) -> Table:
    """The sums by kind."""
    made = Table("kind", "programs", "calls", "raised", title="run: verdict, output, status; export: verdict")
    for command in ("run", "export"):
        for name in VERDICTS:
            made.add_column(f"{command}: {name}", justify="right")
    made.add_column("same output", justify="right")
    made.add_column("same status", justify="right")
    kinds = collections.defaultdict[str, list[Measured]](list)
    for result in results:
        kinds[result.kind].append(result)
    for kind, part in [*sorted(kinds.items()), ("all", results)]:
        if kind == "all":
            made.add_section()
        calls = sum(len(result.calls) for result in part)
        raised = sum(call["outcome"] == "raised" for result in part for call in result.calls)
        counts = [
            str(sum(getattr(result, command).count(name) for result in part))
            for command in ("run", "export")
            for name in VERDICTS
        ]
        same_output, same_status = (f"{sum(values)}/{len(part)}" for values in _kept(part))
        made.add_row(kind, str(len(part)), str(calls), str(raised), *counts, same_output, same_status)
    return made


def _kept(part: list[Measured]) -> tuple[list[bool], list[bool]]:
    return [result.output for result in part], [result.status for result in part]


def headline(results: list[Measured]) -> str:
    """The last line: the figures beside the goals."""
    parts: list[str] = []
    for command in ("run", "export"):
        calls = sum(len(result.made(command)) for result in results)
        count = {name: sum(getattr(result, command).count(name) for result in results) for name in VERDICTS}
        parts.append(
            f"{command}: {count['agreed']} of {calls} calls as when the program is run, {count['false ok']} false ok and "
            f"{count['false fails']} false fails (goal 0), {count['no verdict'] / max(1, calls):.0%} without a verdict (goal 5 %)"
        )
    outputs, statuses = _kept(results)
    parts.append(f"under run {sum(outputs)} of {len(results)} programs print the same and {sum(statuses)} end the same")
    return "; ".join(parts)


def disagreements(result: Measured) -> list[str]:
    """A line for each call with another verdict than its outcome, and for each program that run changed."""
    lines: list[str] = []
    for command in ("run", "export"):
        judged: Judged = getattr(result, command)
        for call, word, outcome in zip(result.made(command), judged.verdicts, judged.outcomes, strict=True):
            if word != "agreed":
                exception = f" {call['exception']}" if "exception" in call else ""
                lines.append(
                    f"{result.kind}/{result.name}: line {call['row']} {call['api']}({call['model']}) "
                    f"{call['outcome']}{exception}; {command} says {outcome}: {word}"
                    + (f" ({judged.note})" if judged.note else "")
                )
        if judged.extra:
            lines.append(
                f"{result.kind}/{result.name}: {command} has {judged.extra} results for which there is no call"
            )
    if not result.output:
        lines.append(f"{result.kind}/{result.name}: other output under run")
    if not result.status:
        lines.append(f"{result.kind}/{result.name}: status {result.plain_status}, under run {result.run_status}")
    return lines


def main() -> int:
    """Prints the disagreements, the table and the headline."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], help="the programs with this in kind/name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path, help="write what was measured to this file, as JSON")
    options = parser.parse_args()
    chosen = [
        program
        for program in programs()
        if not options.only or any(text in f"{program.kind}/{program.name}" for text in options.only)
    ]
    python = environment()
    results: list[Measured] = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda program: measure(program, python), chosen):
            results.append(result)
            print(f"{result.kind}/{result.name}", file=sys.stderr, flush=True)
            for line in disagreements(result):
                print(line, flush=True)
    if options.keep:
        options.keep.write_text(json.dumps([asdict(result) for result in results], indent=1) + "\n", "utf-8")
    console = Console(width=170)
    console.print(table(results))
    print(headline(results))
    return 0 if all(result.calls for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
