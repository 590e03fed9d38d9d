"""Recall and false alarms of `check` on models of public packages whose real exports are known (bench/truth).

    python bench/accuracy.py [--package NAME]… [--show-misses] [--show-alarms]

For each package: of the places where a real export failed, the share at which check has a finding, by kind and mode;
and findings `fails` (non-strict, static shapes) on lines that ran in a model that exported faithfully, per 1,000.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import packages
from exportdb_rules.engine import Project, Settings, check_files
from exportdb_rules.finding import Finding, Mode, Verdict
from rich.console import Console
from rich.table import Table

# What was installed beside torch where the ground truth was measured, as far as a verdict depends on it.
INSTALLED = (("opt_einsum", "3.4.0"),)
KINDS = ("data", "dynamic", "other")
# Of findings that hit and of all: by kind and mode (`data N`), and of alarms and lines that ran.
Counts = dict[str, list[int]]


def findings_of(folder: Path, files: list[str], dynamic: str) -> tuple[dict[str, list[Finding]], list[str]]:
    """Findings by path relative to the folder, and the internal errors met on the way."""
    modes = (Mode.NON_STRICT, Mode.STRICT)
    beside = tuple(str(packages.fetch(*package)) for package in INSTALLED)
    settings = Settings(modes=modes, assume_dynamic=dynamic, packages=beside)  # type: ignore[arg-type]
    reports = check_files(Project(folder), files, settings)
    found = {str(Path(r.filename).relative_to(folder)): list(r.findings) for r in reports}
    errors = [f"{p.filename}: {p.message}" for r in reports for p in r.problems if "internal error" in p.message]
    return found, errors


def named_files(folder: Path, fails: list[dict], ran: dict[str, set[int]]) -> list[str]:
    """The files of the failing places, of the entries that failed there, and of the lines that ran."""
    found = {place[0] for row in fails for place in row["places"]} | set(ran)
    for row in fails:
        for entry in row["entries"]:
            path = entry.replace(".", "/").rpartition("/")[0]
            found.update((f"{path}.py", f"{path}/__init__.py"))
    return sorted(str(folder / name) for name in found if (folder / name).is_file())


def hit(findings: dict[str, list[Finding]], places: list[list], mode: Mode, verdicts: set[Verdict]) -> bool:
    """Whether a finding with one of the verdicts stands on one of the places."""
    return any(
        finding.span.start.row <= last and finding.span.end.row >= first and finding.verdict.get(mode) in verdicts
        for file, first, last in places
        for finding in findings.get(file, ())
    )


def counts() -> Counts:
    return defaultdict(lambda: [0, 0])


def accepted(row: dict, verdict: str) -> set[Verdict]:
    """The verdicts of a finding that say what really happened."""
    if row["kind"] == "data" and verdict == "fails":
        return {Verdict.FAILS}
    return {Verdict.FAILS, Verdict.SPECIALIZES, Verdict.DIVERGES}


def recalled(
    fails: list[dict], static: dict[str, list[Finding]], dynamic: dict[str, list[Finding]], show: bool
) -> Counts:
    """How many of the failures have a finding, by kind and mode."""
    cells = counts()
    for row in fails:
        for mode in Mode:
            verdict = row["verdict"].get(mode.value)
            if verdict is None:
                continue
            label = f"{row['kind']} {mode.value[0].upper()}"
            asked = dynamic if verdict == "fails-dynamic" else static
            found = hit(asked, row["places"], mode, accepted(row, verdict))
            cells[label][0] += found
            cells[label][1] += 1
            if show and not found:
                print(f"MISS {label} {verdict} {row['places']} {row['code'][:110]!r} {row['message'][:70]!r}")
    return cells


def alarmed(ran: dict[str, set[int]], static: dict[str, list[Finding]], package: str, show: bool) -> list[int]:
    """How many findings say that a line fails which ran, and how many lines ran."""
    alarms = 0
    for file, rows in ran.items():
        for finding in static.get(file, ()):
            row = finding.span.start.row
            if finding.verdict[Mode.NON_STRICT] is Verdict.FAILS and row in rows:
                alarms += 1
                if show:
                    said = f"{finding.code} {finding.confidence.value} {finding.message[:90]}"
                    print(f"ALARM {package} {file}:{row} {said}")
    return [alarms, sum(map(len, ran.values()))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", action="append", default=[])
    parser.add_argument("--show-misses", action="store_true")
    parser.add_argument("--show-alarms", action="store_true")
    parser.add_argument("--quick", action="store_true", help="check only the files that the ground truth names")
    options = parser.parse_args()
    fails: dict[tuple[str, str], list[dict]] = defaultdict(list)
    ran: dict[tuple[str, str], dict[str, set[int]]] = defaultdict(dict)
    for row in packages.rows("fails.jsonl"):
        fails[row["package"], row["version"]].append(row)
    for row in packages.rows("ran.jsonl"):
        ran[row["package"], row["version"]][row["file"]] = set(row["ran"])
    heads = [f"{kind} {mode.value[0].upper()}" for kind in KINDS for mode in Mode]
    table = Table("package", *heads, "alarms", "ran lines", "per 1,000")
    total = counts()
    errors: list[str] = []
    for key in sorted(set(fails) | set(ran)):
        if options.package and key[0] not in options.package:
            continue
        folder = packages.fetch(*key)
        files = [str(p) for p in sorted(folder.rglob("*.py"))]
        if options.quick:
            files = named_files(folder, fails[key], ran[key])
        static, problems = findings_of(folder, files, "none")
        errors += problems
        wants_dynamic = any("fails-dynamic" in r["verdict"].values() for r in fails[key])
        dynamic = findings_of(folder, files, "all")[0] if wants_dynamic else static
        cells = recalled(fails[key], static, dynamic, options.show_misses)
        cells["alarms"] = alarmed(ran[key], static, key[0], options.show_alarms)
        for label, (found, all_) in cells.items():
            total[label][0] += found
            total[label][1] += all_
        table.add_row(f"{key[0]} {key[1]}", *_row(heads, cells))
    table.add_section()
    table.add_row("all", *_row(heads, total))
    Console(width=150).print(table)
    for error in errors:
        print(error)
    recalls = [f"{kind} {_recall(total[f'{kind} N'])} and {_recall(total[f'{kind} S'])}" for kind in KINDS]
    alarms, lines = total["alarms"]
    print(
        f"recall in non-strict and strict: {'; '.join(recalls)}; {1000 * alarms / max(lines, 1):.2f} false alarms in 1,000 "
        f"lines; {len(errors)} internal errors"
    )
    return 0


def _recall(found: list[int]) -> str:
    return f"{found[0] / found[1]:.2f}" if found[1] else "-"


def _row(heads: list[str], cells: Counts) -> list[str]:
    recalls = [f"{cells[head][0]}/{cells[head][1]} {_recall(cells[head])}" if cells[head][1] else "" for head in heads]
    alarms, lines = cells["alarms"]
    return [*recalls, str(alarms), str(lines), f"{1000 * alarms / lines:.2f}" if lines else ""]


if __name__ == "__main__":
    sys.exit(main())
