"""What a check is asked for, and what it says: plain data, which needs no analyser to be read or put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from exportdb_rules import suppression
from exportdb_rules.finding import Confidence, Finding, Mode, Problem, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules.declared import Declared, Written

AssumeDynamic = Literal["none", "batch", "all"]
DEFAULT_TORCH = "2.13.0"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a check is asked for.

    `assume_dynamic`: which dimensions of the entries' tensors are dynamic although nothing says so. `select` and
    `ignore` hold codes, prefixes of codes, or names of rules; an empty `select` means all. `packages` are the folders of
    installed packages: what the project uses of those that are built on torch is followed there. `declared` are inputs that entries were
    given, in calls that were recorded: for these entries they come before everything that the text says. `targets` are
    those of `[tool.exportdb.targets]`. `to` is what the programs are exported for, besides what the code itself says.
    """

    torch_version: str = DEFAULT_TORCH
    modes: tuple[Mode, ...] = (Mode.NON_STRICT,)
    assume_dynamic: AssumeDynamic = "none"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    min_confidence: Confidence = Confidence.LIKELY
    packages: tuple[str, ...] = ()
    declared: tuple[Declared, ...] = ()
    targets: tuple[Written, ...] = ()
    to: tuple[str, ...] = ()

    def selects(self, code: str, name: str) -> bool:
        """Whether `select` and `ignore` let the findings of a rule through."""
        return (not self.select or _among(self.select, code, name)) and not _among(self.ignore, code, name)


def _among(patterns: Iterable[str], code: str, name: str) -> bool:
    return any(begins(code, pattern.upper()) or name == pattern.lower() for pattern in patterns if pattern)


def begins(code: str, prefix: str) -> bool:
    """Whether a prefix selects a code. Codes of four digits are families of their own (`EDB100`), so that `EDB1` and
    `EDB10` go on to mean what they meant before there were any."""
    digits = len(prefix) - len("EDB")
    return code.startswith(prefix) and (len(code) == len("EDB101") or digits not in (1, 2))


@dataclass(frozen=True, slots=True)
class Entry:
    """A function that export traces: `forward` of a module class, or a callable given to an export function."""

    name: str
    class_name: str | None
    filename: str
    span: Span


@dataclass(frozen=True, slots=True)
class BoundaryFinding:
    """A finding about what goes into the entry of a class or comes out of it.

    It stands only where no other module calls an object of that class: what goes in and out is export's business at
    the outermost module, and there alone.
    """

    class_key: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class Report:
    """What a check says of one file. `found_by` are the other files whose entries came to what may be mended in it."""

    filename: str
    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...] = ()
    entries: tuple[Entry, ...] = ()
    found_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """What the entries of one file say, of whatever file of the project their lines stand in.

    `called` are the classes of the modules that these entries call (as file and name), `reached` the files that they
    evaluate anything of. Comments silence nothing yet; `commented` says whether the file has any that may.
    """

    filename: str
    findings: tuple[Finding, ...] = ()
    outermost: tuple[BoundaryFinding, ...] = ()
    called: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    entries: tuple[Entry, ...] = ()
    commented: bool = False
    reached: tuple[str, ...] = ()

    @property
    def fixable(self) -> bool:
        """Whether anything was found in the file itself that a fix may exist for."""
        found = (*self.findings, *[item.finding for item in self.outermost])
        return any(finding.fixable and finding.filename == self.filename for finding in found)


def merge_units(
    units: Iterable[Unit], filenames: Iterable[str], text: Callable[[str], str | None], settings: Settings
) -> list[Report]:
    """The reports of these files, from the units of all files whose entries may reach them.

    What a rule says of a line is told once, by the surest of the findings, the first unit's among equals; then comments silence them.

    Args:
        units: in the order of their files.
        filenames: the files to report on.
        text: gives a file's text, or None if it cannot be read.
    """
    units = list(units)
    called = {class_key for unit in units for class_key in unit.called}
    found: dict[str, dict[tuple[str, Span], tuple[Finding, str]]] = {name: {} for name in filenames}
    own = {unit.filename: unit for unit in units}
    for unit in units:
        outermost = [item.finding for item in unit.outermost if item.class_key not in called]
        for finding in (*unit.findings, *outermost):
            here = found.get(finding.filename)
            if here is None:
                continue
            old = here.get((finding.code, finding.span))
            if old is None or old[0].confidence.rank < finding.confidence.rank:
                here[finding.code, finding.span] = finding, unit.filename
    reports: list[Report] = []
    for filename, here in found.items():
        findings = sorted([finding for finding, _ in here.values()], key=lambda f: (f.span, f.code))
        finders = dict.fromkeys([by for finding, by in here.values() if finding.fixable and by != filename])
        unit = own.get(filename)
        written = text(filename) if unit is None or unit.commented else None
        if written is not None:
            findings = suppression.apply(written, filename, findings, settings)
        problems, entries = ((), ()) if unit is None else (unit.problems, unit.entries)
        reports.append(Report(filename, tuple(findings), problems, entries, tuple(finders)))
    return reports
