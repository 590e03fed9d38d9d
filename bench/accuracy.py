"""Recall and false alarms of `check` on models of public packages whose real exports are known (bench/truth).

    python bench/accuracy.py [--set public|tune|test]… [--package NAME]… [--show-misses] [--show-alarms]

For each package: of the places where a real export failed, the share at which check has a finding, by kind and mode;
and findings `fails` (non-strict, static shapes) on lines that ran in a model that exported faithfully, per 1,000.

Then the same of the packages that bench/truth/make.py surveyed: tune, which rules may be worked out from, and test, of which
nothing but totals is shown, side by side; and the distance between them, which is what was learned by heart.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import packages
from exportdb_rules.engine import Project, Settings, check_files
from exportdb_rules.finding import Confidence, Finding, Mode, Verdict
from rich.console import Console
from rich.table import Table

# What was installed beside torch where the ground truth was measured, as far as a verdict depends on it.
INSTALLED = (("opt_einsum", "3.4.0"),)
KINDS = ("data", "dynamic", "other")
# Of findings that hit and of all: by kind and mode (`data N`), and of alarms and lines that ran.
Counts = dict[str, list[int]]
FRESH = ("tune", "test")


def in_mode(kind: str, mode: Mode) -> str:
    """What is counted, with the letter of a mode: `data N`."""
    return f"{kind} {mode.value[0].upper()}"


HEADS = [in_mode(kind, mode) for kind in KINDS for mode in Mode]


def findings_of(folder: Path, files: list[str], dynamic: str) -> tuple[dict[str, list[Finding]], list[str]]:
    """Findings by path relative to the folder, and the internal errors met on the way."""
    modes = (Mode.NON_STRICT, Mode.STRICT)
    beside = tuple(str(packages.fetch(*package)) for package in INSTALLED)
    settings = Settings(modes=modes, assume_dynamic=dynamic, packages=beside)  # type: ignore[arg-type]
    reports = check_files(Project(folder), files, settings)
    found = {str(Path(r.filename).relative_to(folder)): list(r.findings) for r in reports}
    errors = [f"{p.filename}: {p.message}" for r in reports for p in r.problems if "internal error" in p.message]
    return found, errors


def named_files(folder: Path, fails: list[dict], ran: set[str]) -> list[str]:
    """The files of the failing places, of the entries that failed there, and of the lines that ran."""
    found = {place[0] for row in fails for place in row["places"]} | ran
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
            label = in_mode(row["kind"], mode)
            asked = dynamic if verdict == "fails-dynamic" else static
            found = hit(asked, row["places"], mode, accepted(row, verdict))
            cells[label][0] += found
            cells[label][1] += 1
            if show and not found:
                print(f"MISS {label} {verdict} {row['places']} {row['code'][:110]!r} {row['message'][:70]!r}")
    return cells


def alarmed(ran: dict[str, Ran], static: dict[str, list[Finding]], package: str, show: bool, cells: Counts) -> None:
    """Counts the findings that say that a line fails which ran, by mode, and the lines that ran."""
    for file, rows in ran.items():
        for mode in Mode:
            label = in_mode("alarms", mode)
            proven = rows.lines - rows.not_in_strict if mode is Mode.STRICT else rows.lines
            cells[label][1] += len(proven)
            for finding in static.get(file, ()):
                row = finding.span.start.row
                if finding.verdict.get(mode) is not Verdict.FAILS or row not in proven:
                    continue
                cells[label][0] += 1
                cells["certain"][0] += finding.confidence is Confidence.CERTAIN
                if show:
                    said = f"{finding.code} {finding.confidence.value} {finding.message[:90]}"
                    print(f"ALARM {label[-1]} {package} {file}:{row} {said}")


@dataclass(frozen=True)
class Ran:
    """The lines of a file that ran in a model that exports in non-strict; not all of them do in strict, as far as is known."""

    lines: set[int]
    not_in_strict: set[int]


@dataclass
class Measured:
    """A set of packages: totals, and those by package."""

    total: Counts = field(default_factory=counts)
    of_packages: dict[str, Counts] = field(default_factory=dict[str, Counts])
    errors: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])


def measured(name: str, options: argparse.Namespace) -> Measured:
    """What check finds of a set: `public`, `tune` or `test`."""
    folder = "" if name == "public" else f"{name}/"
    fails: dict[tuple[str, str], list[dict]] = defaultdict(list)
    ran: dict[tuple[str, str], dict[str, Ran]] = defaultdict(dict)
    for row in packages.rows(f"{folder}fails.jsonl"):
        fails[row["package"], row["version"]].append(row)
    for row in packages.rows(f"{folder}ran.jsonl"):
        # Of the public truth nothing is known of strict.
        unproven = set(row["ran"] if name == "public" else row.get("not_in_strict", ()))
        ran[row["package"], row["version"]][row["file"]] = Ran(set(row["ran"]), unproven)
    found = Measured()
    # Of test nothing is told but totals.
    misses, alarms = (options.show_misses, options.show_alarms) if name != "test" else (False, False)
    for key in sorted(set(fails) | set(ran)):
        if options.package and key[0] not in options.package:
            continue
        try:
            sources = packages.fetch(*key)
        except SystemExit as error:
            if name == "public":
                raise
            found.missing.append(str(error))
            continue
        files = [str(p) for p in sorted(sources.rglob("*.py"))]
        if options.quick or name != "public":
            files = named_files(sources, fails[key], set(ran[key]))
        static, problems = findings_of(sources, files, "none")
        found.errors += problems
        wants_dynamic = any("fails-dynamic" in r["verdict"].values() for r in fails[key])
        dynamic = findings_of(sources, files, "all")[0] if wants_dynamic else static
        cells = recalled(fails[key], static, dynamic, misses)
        alarmed(ran[key], static, key[0], alarms, cells)
        for label, (hits, all_) in cells.items():
            found.total[label][0] += hits
            found.total[label][1] += all_
        found.of_packages[f"{key[0]} {key[1]}"] = cells
    return found


def by_package(found: Measured) -> Table:
    """The table of a set that may be looked into."""
    table = Table("package", *HEADS, "alarms", "ran lines", "per 1,000")
    for name, cells in found.of_packages.items():
        table.add_row(name, *_row(cells))
    table.add_section()
    table.add_row("all", *_row(found.total))
    return table


def side_by_side(sets: dict[str, Measured]) -> Table:
    """The fresh packages: both sets, and how far they are apart."""
    table = Table("", *sets, *(["distance"] if len(sets) == 2 else []), title="fresh packages")

    def row(label: str, cells: list[str], values: list[float | None]) -> None:
        known = [value for value in values if value is not None]
        apart = [f"{known[0] - known[1]:+.2f}" if len(known) == 2 else ""] if len(sets) == 2 else []
        table.add_row(label, *cells, *apart)

    row("packages", [str(len(found.of_packages)) for found in sets.values()], [])
    for head in HEADS:
        cells = [found.total[head] for found in sets.values()]
        row(f"recall, {head}", [f"{c[0]}/{c[1]} {_share(c)}" if c[1] else "" for c in cells], list(map(_rate, cells)))
    for mode in Mode:
        cells = [found.total[in_mode("alarms", mode)] for found in sets.values()]
        rates = [1000 * c[0] / c[1] if c[1] else None for c in cells]
        shown = [f"{c[0]} in {c[1]} lines, {rate:.2f}" if rate is not None else "" for c, rate in zip(cells, rates, strict=True)]  # fmt: skip
        row(f"false alarms per 1,000 lines, {mode.value}", shown, rates)
    row("false alarms that are certain", [str(found.total["certain"][0]) for found in sets.values()], [])
    row("internal errors", [str(len(found.errors)) for found in sets.values()], [])
    return table


def distance(sets: dict[str, Measured]) -> str:
    """What the recall on tune has over that on test, on average over kinds and modes; '-' where one is not known."""
    pairs = [(_rate(sets["tune"].total[head]), _rate(sets["test"].total[head])) for head in HEADS]
    apart = [tune - test for tune, test in pairs if tune is not None and test is not None]
    return f"{sum(apart) / len(apart):+.2f}" if apart else "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", action="append", default=[])
    parser.add_argument("--set", action="append", default=[], choices=("public", *FRESH), help="this set only")
    parser.add_argument("--show-misses", action="store_true")
    parser.add_argument("--show-alarms", action="store_true")
    parser.add_argument("--quick", action="store_true", help="check only the files that the ground truth names")
    options = parser.parse_args()
    names = [name for name in ("public", *FRESH) if name in (options.set or ("public", *FRESH))]
    if options.package and "test" not in options.set:
        names = [name for name in names if name != "test"]
    sets = {name: measured(name, options) for name in names}
    fresh = {name: found for name, found in sets.items() if name in FRESH and found.of_packages}
    console = Console(width=150)
    for name, found in sets.items():
        if name == "public" or (name == "tune" and options.set):
            console.print(by_package(found))
            for error in found.errors:
                print(error)
        for error in found.missing:
            print(error)
    if fresh:
        console.print(side_by_side(fresh))
    told = [_headline(sets["public"])] if "public" in sets else []
    if "test" in fresh:
        recalls = [f"{kind} {'/'.join(_share(fresh['test'].total[in_mode(kind, mode)]) for mode in Mode)}" for kind in KINDS]  # fmt: skip
        judged = sum(fresh["test"].total[in_mode(kind, mode)][1] for kind in KINDS for mode in Mode)
        rates = "/".join(_per_thousand(fresh["test"].total[in_mode("alarms", mode)]) for mode in Mode)
        apart = f"; tune beyond test {distance(fresh)}" if "tune" in fresh else ""
        told.append(f"on test ({judged} failures): {', '.join(recalls)}, {rates} alarms in 1,000 lines{apart}")
    if told:
        print("; ".join(told))
    return 0


def _headline(found: Measured) -> str:
    recalls = [f"{kind} {_share(found.total[f'{kind} N'])} and {_share(found.total[f'{kind} S'])}" for kind in KINDS]
    return (
        f"recall in non-strict and strict: {'; '.join(recalls)}; {_per_thousand(found.total['alarms N'])} false alarms in "
        f"1,000 lines; {len(found.errors)} internal errors"
    )


def _rate(found: list[int]) -> float | None:
    return found[0] / found[1] if found[1] else None


def _share(found: list[int]) -> str:
    rate = _rate(found)
    return "-" if rate is None else f"{rate:.2f}"


def _per_thousand(found: list[int]) -> str:
    return f"{1000 * found[0] / max(found[1], 1):.2f}"


def _row(cells: Counts) -> list[str]:
    recalls = [f"{cells[head][0]}/{cells[head][1]} {_share(cells[head])}" if cells[head][1] else "" for head in HEADS]
    alarms, lines = cells["alarms N"]
    return [*recalls, str(alarms), str(lines), f"{1000 * alarms / lines:.2f}" if lines else ""]


if __name__ == "__main__":
    sys.exit(main())
