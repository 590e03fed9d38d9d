"""The one way in: a project and its texts -> findings and, when somebody asks, fixes."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from packaging.version import InvalidVersion, Version

from exportdb_rules import interpreter as _interpreter  # noqa: F401 - fills the tables  # pyright: ignore[reportUnusedImport]
from exportdb_rules import support, suppression
from exportdb_rules.api_use import api_uses
from exportdb_rules.confidence import confidence_of
from exportdb_rules.dynamic_shapes import assumed
from exportdb_rules.entries import Entered, entries_of, run_entry
from exportdb_rules.facts import AttributeWritten
from exportdb_rules.finding import (
    Confidence,
    Finding,
    Fix,
    Mode,
    Position,
    Related,
    Span,
    Verdict,
)
from exportdb_rules.importers import importers
from exportdb_rules.incremental import Session, carry_over
from exportdb_rules.interpreter.machine import Run
from exportdb_rules.project import Module, Project
from exportdb_rules.rewrite.context import FixContext
from exportdb_rules.rule import Context, by_fact, find
from exportdb_rules.rule import Report as RuleReport
from exportdb_rules.values import Instance, Value, join

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from exportdb_rules.facts import Fact
    from exportdb_rules.interpreter.machine import Summary
    from exportdb_rules.rule import Rule
    from exportdb_rules.values import Site

AssumeDynamic = Literal["none", "batch", "all"]
DEFAULT_TORCH = "2.13.0"
# Up to so many files given by name, the project is searched for the files that import them.
MOST_LOOKED_UP = 8


@dataclass(frozen=True, slots=True)
class Settings:
    """What a check is asked for.

    `assume_dynamic`: which dimensions of the entries' tensors are dynamic although nothing says so. `select` and
    `ignore` hold codes, prefixes of codes, or names of rules; an empty `select` means all.
    """

    torch_version: str = DEFAULT_TORCH
    modes: tuple[Mode, ...] = (Mode.NON_STRICT,)
    assume_dynamic: AssumeDynamic = "none"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    min_confidence: Confidence = Confidence.LIKELY


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file, or a part of it, could not be checked."""

    filename: str
    position: Position
    message: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A function that export traces: `forward` of a module class, or a callable given to an export function."""

    name: str
    class_name: str | None
    filename: str
    span: Span


@dataclass(frozen=True, slots=True)
class Report:
    """What a check says of one file."""

    filename: str
    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    entries: tuple[Entry, ...]


def check(project: Project, filename: str, settings: Settings | None = None) -> Report:
    """Check one file.

    Findings are those whose line stands in this file, reached from its own entries or from those of the files that
    import it.
    """
    settings = settings or Settings()
    others = sum(project.changes.values()) - project.changes.get(filename, 0)
    key = (filename, settings.assume_dynamic, settings.torch_version)
    session = project.sessions.get(key)
    run: Run | None = None
    if isinstance(session, Session) and session.others == others:
        module = project.module(filename)
        if module is session.module or (module is not None and carry_over(session, module)):
            project.adopt(filename, session.module)
            run = session.run
            run.begin()
    if run is None:
        run = _new_run(project, settings)
    reports = _check(project, [filename], settings, run, reaching=importers(project, filename))
    report = put_together(project, [reports], settings)[0]
    module = project.module(filename)
    if module is not None:
        project.sessions[key] = Session(run, module, others)
    return report


def check_files(project: Project, filenames: Sequence[str], settings: Settings | None = None) -> list[Report]:
    """Check files together: an entry of one may reach lines of another."""
    settings = settings or Settings()
    return put_together(project, [check_part(project, filenames, settings)], settings)


def check_part(
    project: Project, filenames: Sequence[str], settings: Settings, elsewhere: Collection[str] = ()
) -> list[Report]:
    """Check one part of files that belong together, so that several processes can share them.

    The entries are those of `filenames`; what they reach in the files of `elsewhere` is reported as well, behind the
    reports of `filenames`. Comments silence nothing yet: see `put_together`.
    """
    given = {*filenames, *elsewhere}
    reaching: dict[str, None] = {}
    if len(given) <= MOST_LOOKED_UP:
        # Somebody asks for a few files of a project: the entries that reach them may stand in others.
        reaching = dict.fromkeys(name for file in filenames for name in importers(project, file) if name not in given)
    return _check(project, filenames, settings, _new_run(project, settings), frozenset(elsewhere), tuple(reaching))


def put_together(project: Project, parts: Sequence[Sequence[Report]], settings: Settings) -> list[Report]:
    """The reports of all files, from those of all parts in their order; now the files' comments silence findings."""
    whole: dict[str, Report] = {}
    found: dict[str, dict[tuple[str, Span], Finding]] = {}
    for report in (report for part in parts for report in part):
        known = whole.get(report.filename)
        whole[report.filename] = report if known is None or not (known.problems or known.entries) else known
        here = found.setdefault(report.filename, {})
        for finding in report.findings:
            old = here.get((finding.code, finding.span))
            if old is None or old.confidence.rank < finding.confidence.rank:
                here[finding.code, finding.span] = finding
    reports: list[Report] = []
    for filename, report in whole.items():
        findings = sorted(found[filename].values(), key=lambda f: (f.span, f.code))
        module = project.module(filename)
        if module is not None:
            findings = suppression.apply(module.text, filename, findings, settings)
        reports.append(replace(report, findings=tuple(findings)))
    return reports


def _check(
    project: Project,
    filenames: Sequence[str],
    settings: Settings,
    run: Run,
    elsewhere: frozenset[str] = frozenset(),
    reaching: Sequence[str] = (),
) -> list[Report]:
    """Check files; the entries of the files `reaching` are traced too, for what they reach in the others."""
    loaded: list[tuple[str, Module | None, list[Problem]]] = []
    for filename in filenames:
        module, problems = _load(project, filename)
        loaded.append((filename, module, problems))
    collector = _Collector(run, settings)
    for filename in reaching:
        module = project.module(filename)
        if module is not None:
            for entry in entries_of(run, module):
                collector.enter(entry)
    entries: dict[str, list[Entry]] = {}
    for filename, module, problems in loaded:
        if module is None:
            continue
        entries[filename] = []
        for entry in entries_of(run, module):
            entries[filename].append(
                Entry(entry.name, entry.class_name, filename, _name_span(module, entry.function.node))
            )
            problem = collector.enter(entry)
            if problem is not None:
                problems.append(Problem(filename, _name_span(module, entry.function.node).start, problem))
        collector.read(module)
    reports: list[Report] = []
    for filename, module, problems in loaded:
        findings: list[Finding] = [] if module is None else collector.findings(module)
        if module is not None:
            entries[filename].sort(key=lambda entry: entry.span.start)
        reports.append(Report(filename, tuple(findings), tuple(problems), tuple(entries.get(filename, ()))))
    told = {report.filename for report in reports}
    reports += [Report(name, tuple(found), (), ()) for name, found in collector.elsewhere(elsewhere - told)]
    return reports


def fixes(project: Project, finding: Finding, settings: Settings | None = None) -> tuple[Fix, ...]:
    """The fixes for a finding, best first; at most one of them is preferred."""
    settings = settings or Settings()
    rule = find(finding.code)
    module, _ = _load(project, finding.filename)
    if rule is None or module is None:
        return ()
    values = _values(project, module, settings)
    context = FixContext(finding, module.text, values, settings.torch_version)
    offered = rule.fixes(context)
    preferred = next((i for i, fix in enumerate(offered) if fix.preferred), 0)
    return tuple([replace(fix, preferred=i == preferred) for i, fix in enumerate(offered)])


def _values(project: Project, module: Module, settings: Settings) -> dict[Span, Value]:
    """What every expression of a file evaluated to, joined over all that reaches it; kept until a file changes."""
    key = ("values", module.filename, settings.assume_dynamic)
    state = (module.text, sum(project.changes.values()))
    known = project.sessions.get(key)
    if isinstance(known, _Values) and known.state == state:
        return known.values
    run = _new_run(project, settings)
    values: dict[Span, Value] = {}

    def record(where: Module, node: ast.AST, value: Value) -> None:
        if where is module and hasattr(node, "end_lineno"):
            span = module.lines.span(node)
            old = values.get(span)
            values[span] = value if old is None else join(old, value)

    run.recorder = record
    for source in (*[project.module(name) for name in importers(project, module.filename)], module):
        for entry in entries_of(run, source) if source is not None else ():
            run_entry(run, entry)
    project.sessions[key] = _Values(state, values)
    return values


@dataclass(frozen=True, slots=True)
class _Values:
    """The values of a file's expressions, and the texts that they hold for."""

    state: tuple[str, int]
    values: dict[Span, Value]


def _new_run(project: Project, settings: Settings) -> Run:
    try:
        release = Version(settings.torch_version).release
    except InvalidVersion:
        release = Version(DEFAULT_TORCH).release
    return Run(project, dynamic=assumed(settings.assume_dynamic), torch_version=release)


def _load(project: Project, filename: str) -> tuple[Module | None, list[Problem]]:
    module = project.module(filename)
    if module is not None:
        if module.problem is not None:
            return module, [Problem(filename, module.problem.position, f"syntax error: {module.problem.message}")]
        return module, []
    start = Position(1, 1)
    try:
        project.load(filename)
    except FileNotFoundError:
        message = "no such file"
    except IsADirectoryError:
        message = "it is a directory"
    except OSError as error:
        message = error.strerror or str(error)
    except UnicodeDecodeError as error:
        message = f"it is not in the encoding {error.encoding} that it is read in: byte {error.start}, {error.reason}"
    except (SyntaxError, ValueError) as error:
        message = str(error)
    else:
        message = "it could not be read"
    return None, [Problem(filename, start, message)]


def _name_span(module: Module, node: ast.AST) -> Span:
    """The span of the name in a `def`."""
    row: int = node.lineno  # type: ignore[attr-defined]
    column = module.lines.column(row, node.col_offset)  # type: ignore[attr-defined]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        column += len("async def " if isinstance(node, ast.AsyncFunctionDef) else "def ")
        return Span(Position(row, column), Position(row, column + len(node.name)))  # pyright: ignore[reportUnknownArgumentType]
    return module.lines.span(node)


class _Collector:
    """Turns what happened in the entries into findings, each line told once."""

    def __init__(self, run: Run, settings: Settings) -> None:
        self._run = run
        self._settings = settings
        # The summaries themselves are kept too: an id is only good for as long as its object lives.
        self._seen: dict[int, Summary] = {}
        self._findings: dict[str, dict[tuple[str, Span], Finding]] = {}
        self._selected = {rule.code: _is_selected(rule, settings) for rules in by_fact().values() for rule in rules}

    def enter(self, entry: Entered) -> str | None:
        """Run an entry; a note if it could not be followed to its end."""
        summary, problem = run_entry(self._run, entry)
        if summary is not None:
            context = Context(entry.name, self._run.dynamic.kind, self._settings.torch_version, self._run.project)
            self._collect(summary, entry, context, None)
        return problem

    def read(self, module: Module) -> None:
        """What a file does with export's own interface, wherever that stands."""
        context = Context("", self._run.dynamic.kind, self._settings.torch_version, self._run.project)
        for fact in api_uses(self._run.project, module):
            self._state(fact, context, None, None)

    def _state(self, fact: Fact, context: Context, entry: Entered | None, called_at: Site | None) -> None:
        for rule in by_fact().get(type(fact), ()):
            if self._selected[rule.code]:
                for report in rule.check(fact, context):
                    self._add(rule, report, entry, called_at)

    def _collect(self, root: Summary, entry: Entered, context: Context, site: Site | None) -> None:
        stack: list[tuple[Summary, Site | None]] = [(root, site)]
        table = by_fact()
        while stack:
            summary, called_at = stack.pop()
            if id(summary) in self._seen:
                continue
            self._seen[id(summary)] = summary
            for fact in summary.facts:
                if isinstance(fact, AttributeWritten) and self._restored(fact):
                    continue
                if type(fact) in table:
                    self._state(fact, context, entry, called_at)
            stack.extend((inner, where) for where, inner in summary.calls)

    def _restored(self, fact: AttributeWritten) -> bool:
        """Whether the attribute has its old value again when the entry is left: nothing was kept then."""
        owner = fact.owner
        if type(owner) is not Instance:
            return False
        last = self._run.heap.get((id(owner), fact.name))
        return last is not None and last is owner.attributes.get(fact.name)

    def _add(self, rule: Rule, report: RuleReport, entry: Entered | None, called_at: Site | None) -> None:
        settings = self._settings
        verdict = {mode: support.verdict(report.case, settings.torch_version, mode) or Verdict.OK for mode in Mode}
        if all(verdict[mode] is Verdict.OK for mode in settings.modes):
            return
        confidence = Confidence.CERTAIN if entry is None else confidence_of(report, entry)
        if confidence.rank < settings.min_confidence.rank:
            return
        module = report.site.module
        if not hasattr(report.site.node, "lineno"):
            return  # something that the interpreter did by itself, such as asking an object for its length
        span = module.lines.span(report.site.node)
        found = self._findings.setdefault(module.filename, {})
        key = (rule.code, span)
        old = found.get(key)
        if old is not None and old.confidence.rank >= confidence.rank:
            return
        related: list[Related] = []
        if (
            report.origin is not None
            and report.origin.node is not report.site.node
            and hasattr(report.origin.node, "lineno")
        ):
            related.append(
                Related(
                    report.origin.module.filename,
                    report.origin.module.lines.span(report.origin.node),
                    report.origin_note,
                )
            )
        if called_at is not None and isinstance(called_at.node, ast.expr):
            related.append(
                Related(called_at.module.filename, called_at.module.lines.span(called_at.node), "reached by this call")
            )
        found[key] = Finding(
            code=rule.code,
            name=rule.name,
            message=report.message,
            filename=module.filename,
            span=span,
            verdict=verdict,
            confidence=confidence,
            entry="" if entry is None else entry.name,
            case=report.case,
            related=tuple(related),
            fixable=report.fixable,
        )

    def findings(self, module: Module) -> list[Finding]:
        """What was found in one file, in the order of its text."""
        found = self._findings.get(module.filename, {})
        return sorted(found.values(), key=lambda f: (f.span, f.code))

    def elsewhere(self, filenames: frozenset[str]) -> Iterator[tuple[str, list[Finding]]]:
        """What was found in other files than those whose entries were run, of those that are named."""
        for filename, found in self._findings.items():
            if filename in filenames:
                yield filename, sorted(found.values(), key=lambda f: (f.span, f.code))


def _is_selected(rule: Rule, settings: Settings) -> bool:
    def matches(patterns: Iterable[str]) -> bool:
        return any(rule.code.startswith(p.upper()) or rule.name == p.lower() for p in patterns if p)

    return (not settings.select or matches(settings.select)) and not matches(settings.ignore)
