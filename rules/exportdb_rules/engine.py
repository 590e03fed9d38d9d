"""The one way in: a project and its texts -> findings and, when somebody asks, fixes."""

from __future__ import annotations

import ast
import os
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

from exportdb_rules import goal_verdict, suppression, verdict_table
from exportdb_rules.aftermath import brings_failures, leaves_finding
from exportdb_rules.api_use import api_uses
from exportdb_rules.call_graph import CallGraph, graph_of, name_span
from exportdb_rules.confidence import confidence_of
from exportdb_rules.dynamic_shapes import assumed
from exportdb_rules.entry_points import EntryPoint, entries_of, exported_models, inherited_at, own_goals, run_entry
from exportdb_rules.equal_sizes import EqualSizes, Place, Relation
from exportdb_rules.facts import AttributeWritten, BoundHit, Called, Returned, SizeDemanded, SizeNarrowed
from exportdb_rules.facts import Entered as EnteredFact
from exportdb_rules.finding import (
    Applicability,
    Confidence,
    Finding,
    Fix,
    Mode,
    Problem,
    Related,
    Span,
    Verdict,
)
from exportdb_rules.goal_verdict import GoalVerdict
from exportdb_rules.importers import importers, reaching_files
from exportdb_rules.incremental import Session, carry_over
from exportdb_rules.interpreter.machine import MAX_CALLS_DEEP, AnalysisState
from exportdb_rules.interpreter.readable import CASE as READ_NUMBER
from exportdb_rules.interpreter.readable import reads_number
from exportdb_rules.interpreter.supposed import suppose
from exportdb_rules.interruption import Interrupted
from exportdb_rules.lattice import join, join_all
from exportdb_rules.namespaces import lifted
from exportdb_rules.no_fix import NoFix
from exportdb_rules.project import Module, Project
from exportdb_rules.report import DEFAULT_TORCH, BoundaryFinding, Entry, Report, Settings, Unit, merge_units
from exportdb_rules.rewrite.context import FixContext
from exportdb_rules.rewrite.effort import Budget, TooLarge, limited
from exportdb_rules.rewrite.refusal import FixNotApplicable, reason_of, recorded
from exportdb_rules.rule import Context, by_call, by_fact, find, no_fix, registry
from exportdb_rules.rule import Violation as RuleReport
from exportdb_rules.shown_shapes import ShownShape, shown_shapes
from exportdb_rules.type_evidence import TypeEvidence
from exportdb_rules.values import Evidence, Instance, Static, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from exportdb_rules.facts import Fact
    from exportdb_rules.interpreter.machine import Summary
    from exportdb_rules.project import ClassInfo
    from exportdb_rules.rule import Rule
    from exportdb_rules.terms import Demand
    from exportdb_rules.values import Site

__all__ = [
    "DEFAULT_TORCH", "Budget", "CallGraph", "Entry", "FixOffer", "Problem", "Project", "Report", "Settings", "Unit", "call_graph",
    "check", "check_files", "check_unit", "fixes", "offer", "shapes",
]  # fmt: skip


def check(
    project: Project,
    filename: str,
    settings: Settings | None = None,
    *,
    reaching: Sequence[str] | None = None,
    between: Callable[[], None] | None = None,
) -> Report:
    """Check one file.

    Findings are those whose line stands in this file, reached from its own entries or from those of the files that
    import it.

    Args:
        project: where the file is looked up.
        filename: which file.
        settings: what is asked.
        reaching: the files that import it, for who knows them already.
        between: called before each entry is traced, and now and then while that takes long. It may raise `Interrupted`,
            which ends the check; the next one is right all the same.
    """
    settings = settings or Settings()
    project.look_in(settings.packages)
    if reaching is None:
        reaching = importers(project, filename)
    others = project.all_changes - project.changes.get(filename, 0)
    key = (settings.assume_dynamic,)
    session = project.sessions[filename].get(key)
    run: AnalysisState | None = None
    if isinstance(session, Session) and session.others == others and session.asked == _asked(settings):
        module = project.whole(filename)
        if module is session.module or (module is not None and carry_over(session, module)):
            project.adopt(filename, session.module)
            run = session.run
            run.begin()
    if run is None:
        run = new_run(project, settings)
    run.interrupt = between
    try:
        unit = _run_unit(project, filename, settings, run, reaching, between)
    except Interrupted:
        if run.interrupted:
            project.sessions[filename].pop(key, None)  # what was learnt was left half done
        raise
    run.interrupt = None
    report = merge_units([unit], [filename], project.source, settings)[0]
    module = project.module(filename)
    if module is not None:
        sessions = project.sessions[filename]
        # The next edit moves the nodes of the tree: they belong to one session.
        for other in [name for name, known in sessions.items() if isinstance(known, Session)]:
            del sessions[other]
        sessions[key] = Session(run, module, others, _asked(settings))
    return report


def check_files(project: Project, filenames: Sequence[str], settings: Settings | None = None) -> list[Report]:
    """Check files together: an entry of one may reach lines of another."""
    settings = settings or Settings()
    units = [check_unit(project, name, settings) for name in (*reaching_files(project, filenames), *filenames)]
    return merge_units(units, filenames, project.source, settings)


def check_unit(project: Project, filename: str, settings: Settings, *, keep: bool = False) -> Unit:
    """Trace the entries of one file.

    The result depends on this file and on those that it imports, directly or through others, and on nothing else: not
    on what was checked before, nor on what is checked beside it.

    Args:
        keep: where no other file imports this one, keep what its expressions evaluated to for the fixes, which are asked
            for next.
    """
    project.look_in(settings.packages)
    run = new_run(project, settings)
    module = run.recorded = project.whole(filename) if keep and not importers(project, filename) else None
    unit = _run_unit(project, filename, settings, run)
    if module is not None and unit.fixable:
        _keep_values(project, module, settings, run, ())
    else:
        run.dissolve()
    return unit


def _run_unit(
    project: Project,
    filename: str,
    settings: Settings,
    run: AnalysisState,
    reaching: Sequence[str] = (),
    between: Callable[[], None] | None = None,
) -> Unit:
    """Trace the entries of a file, before them those of the files `reaching`, for how they call the others."""
    module, problems = _load(project, filename)
    collector = _Collector(run, settings, between)
    for name in reaching:
        other = project.module(name)
        for entry in entries_of(run, other) if other is not None else ():
            collector.enter(entry)
    entries: list[Entry] = []
    if module is not None:
        for entry in exported_models(run, module):
            collector.enter(entry)  # they build the others, and their calls tell what the others are given
        for entry in entries_of(run, module):
            place = name_span(module, entry.function.node)
            entries.append(Entry(entry.name, entry.class_name, filename, place))
            note = collector.enter(entry)
            if note is not None:
                problems.append(Problem(filename, note, place.start, internal=note.startswith("internal error")))
            elif (bound := collector.bound) is not None:
                problems.append(Problem(filename, _not_followed(entry, bound), place.start, note=True))
        run.recorded = None
        collector.read(module)
        entries.sort(key=lambda entry: entry.span.start)
    return Unit(
        filename,
        collector.findings(),
        collector.outermost(),
        tuple(sorted(collector.called)),
        tuple(problems),
        tuple(entries),
        commented=module is not None and suppression.mentioned(module.text),
        reached=tuple(sorted([module.filename for module in run.reached])),
    )


def _not_followed(entry: EntryPoint, bound: BoundHit) -> str:
    """What to say of code that was not looked at, or not to its end."""
    site = bound.site
    if bound.bound == "steps" and site.node is entry.function.node:
        return f"{entry.name} is too large to analyze completely"
    place = f"line {getattr(site.node, 'lineno', 1)}"
    if site.module is not entry.function.module.file:
        place += f" of {site.module.filename}"
    if bound.bound == "steps":
        return f"{entry.name}: the function at {place} is too large to analyze completely"
    if bound.bound == "runs":
        return f"{entry.name}: the calls behind {place} are too many to analyze completely"
    return f"{entry.name}: the calls behind {place} are nested more than {MAX_CALLS_DEEP} deep; deeper ones are not analyzed"


def call_graph(
    project: Project,
    filename: str,
    settings: Settings | None = None,
    *,
    between: Callable[[], None] | None = None,
) -> CallGraph:
    """The calls that are followed from the entries of a file, and from those of the files that import it.

    `between` as in `check`.
    """
    settings = settings or Settings()
    project.look_in(settings.packages)
    key = ("calls", settings.assume_dynamic)
    # Texts are told from one another by identity, as modules are: one that is changed is another object.
    state = (project.whole(filename), project.all_changes, _asked(settings))
    known = project.sessions[filename].get(key)
    if isinstance(known, _Calls) and known.state == state:
        return known.graph
    run = new_run(project, settings)
    run.interrupt = between
    reaching = importers(project, filename)
    roots = [(entry.function, run_entry(run, entry)[0]) for entry in _all_entries(run, project, filename, reaching)]
    graph = graph_of([(function, summary) for function, summary in roots if summary is not None])
    project.sessions[filename][key] = _Calls(state, graph)
    return graph


@dataclass(frozen=True, slots=True)
class _Calls:
    """The calls that are followed, and the texts that they were followed in."""

    state: tuple[object, ...]
    graph: CallGraph

    def dissolve(self) -> None:
        """See `project.Dissolvable`: a graph refers to itself nowhere."""


def _all_entries(run: AnalysisState, project: Project, filename: str, reaching: Sequence[str]) -> Iterator[EntryPoint]:
    """The entries of the files `reaching` a file, then its own."""
    for name in (*reaching, filename):
        module = project.whole(name) if name == filename else project.module(name)
        if module is not None:
            yield from exported_models(run, module)
            yield from entries_of(run, module)


def fixes(
    project: Project,
    finding: Finding,
    settings: Settings | None = None,
    *,
    between: Callable[[], None] | None = None,
) -> tuple[Fix, ...]:
    """The fixes for a finding, best first; at most one of them is preferred. Where that takes too many steps there are none.

    `between` as in `check`.
    """
    return offer(project, finding, settings, between=between).fixes


@dataclass(frozen=True, slots=True)
class FixOffer:
    """The fixes for a finding, or why there is none."""

    fixes: tuple[Fix, ...] = ()
    no_fix: NoFix | None = None


def offer(
    project: Project,
    finding: Finding,
    settings: Settings | None = None,
    *,
    budget: Budget | None = None,
    alone: bool = True,
    reaching: Sequence[str] | None = None,
    between: Callable[[], None] | None = None,
) -> FixOffer:
    """The fixes for a finding as `fixes` gives them, or the reason why there are none.

    Args:
        budget: what the fixes of its file may take together, for who asks for all of them.
        alone: leave out fixes after which export fails where it did not; not for who applies others behind them, and looks
            at what has come of it then.
        reaching: the files that import the finding's, for who knows which of them reach it.
    """
    settings = settings or Settings()
    project.look_in(settings.packages)
    rule = find(finding.code)
    module, _ = _load(project, finding.filename)
    if rule is None or module is None or not finding.fixable:
        return FixOffer(no_fix=no_fix(finding))
    known = _values(project, module, settings, between, reaching)
    text, rows = lifted(module, finding.span.start.row, project)
    context = FixContext(
        finding, text, known.values, settings.torch_version, known.sizes, partial(suppose, known.run, module)
    )
    try:
        with limited(text, budget), recorded() as refusals:
            found = rule.fixes(context)
    except (TooLarge, RecursionError):
        return FixOffer(no_fix=NoFix.TOO_LARGE)
    except FixNotApplicable:
        return FixOffer(no_fix=NoFix.NOT_PARSED)
    offered = tuple([_weighed(fix, known.evidence) for fix in found if not rows or _holds(fix, module.text, rows)])
    offered = tuple(
        [fix for fix in offered if not fix.declares or not leaves_finding(check, project, finding, fix, settings)]
    )
    if not offered:
        return FixOffer(no_fix=reason_of(refusals, no_fix(finding)))
    if alone:
        offered = tuple([fix for fix in offered if not brings_failures(check, project, finding, fix, settings)])
        if not offered:
            return FixOffer(no_fix=NoFix.EXPORT_WOULD_FAIL)
    first = next((i for i, fix in enumerate(offered) if not fix.optional), -1)
    preferred = next((i for i, fix in enumerate(offered) if fix.preferred), first)
    return FixOffer(tuple([replace(fix, preferred=i == preferred) for i, fix in enumerate(offered)]))


def shapes(
    project: Project,
    filename: str,
    settings: Settings | None = None,
    *,
    between: Callable[[], None] | None = None,
) -> tuple[ShownShape, ...]:
    """The names of a file that stand for tensors all of whose sizes are known, with these; () where it cannot be read.

    `between` as in `check`.
    """
    settings = settings or Settings()
    project.look_in(settings.packages)
    module, problems = _load(project, filename)
    if module is None or problems:
        return ()
    return tuple(shown_shapes(module, _values(project, module, settings, between).values))


def _holds(fix: Fix, text: str, rows: frozenset[int]) -> bool:
    """Whether a fix that was made for a text which differs in some rows is one for the text itself."""
    from exportdb_rules.rewrite.outline import still_parses

    if any(
        not rows.isdisjoint(range(edit.span.start.row, edit.span.end.row + (edit.span.end.column > 1)))
        for edit in fix.edits
    ):
        return False
    return still_parses(text, fix.edits)


def _weighed(fix: Fix, evidence: TypeEvidence) -> Fix:
    """A fix, which is `safe` only if nothing that it rewrites was taken for what it is by convention alone, and no code
    around it tells one exception from another."""
    if fix.applicability is not Applicability.SAFE or fix.any_types:
        return fix
    rests = evidence.assumed(fix.edits, arrays=fix.arrays) or (fix.dtypes and evidence.passed(fix.edits))
    if not rests and not evidence.caught(fix.edits):
        return fix
    return replace(fix, applicability=Applicability.UNSAFE)


def _values(
    project: Project,
    module: Module,
    settings: Settings,
    between: Callable[[], None] | None,
    reaching: Sequence[str] | None = None,
) -> _Values:
    """What every expression of a file evaluated to, joined over all that reaches it; kept until a file changes."""
    reaching = importers(project, module.filename) if reaching is None else tuple(reaching)
    known = project.sessions[module.filename].get(("values", settings.assume_dynamic))
    if isinstance(known, _Values) and known.state == _state(project, module, settings, reaching):
        return known
    run = new_run(project, settings)
    run.recorded = module
    run.interrupt = between
    for entry in _all_entries(run, project, module.filename, reaching):
        run_entry(run, entry)
    return _keep_values(project, module, settings, run, reaching)


def _keep_values(
    project: Project, module: Module, settings: Settings, run: AnalysisState, reaching: tuple[str, ...]
) -> _Values:
    """Keep what the expressions of a file evaluated to in a run of its entries, and before them those of files reaching it."""
    values: dict[Span, Value] = {}
    for node, held in run.values.items():
        value = join_all(held) if isinstance(held, list) else held
        if hasattr(node, "end_lineno"):
            span = module.lines.span(node)
            old = values.get(span)
            values[span] = value if old is None else join(old, value)
    run.recorded, run.values = None, {}
    state = _state(project, module, settings, reaching)
    sizes = {name: size for name, size in run.example_sizes.items() if size is not None}
    found = _Values(state, values, sizes, TypeEvidence(module.body, module.lines, values, run.entered), run)
    project.sessions[module.filename]["values", settings.assume_dynamic] = found
    return found


def _state(project: Project, module: Module, settings: Settings, reaching: tuple[str, ...]) -> tuple[object, ...]:
    """What the values of a file's expressions rest on."""
    return (module.text, project.all_changes, _asked(settings), reaching)


@dataclass(frozen=True, slots=True)
class _Values:
    """The values of a file's expressions, in the example inputs' sizes, and the texts that they hold for; and what these show of
    the values."""

    state: tuple[object, ...]
    values: dict[Span, Value]
    sizes: dict[str, int]
    evidence: TypeEvidence
    run: AnalysisState

    def dissolve(self) -> None:
        """See `project.Dissolvable`."""
        self.run.dissolve()


def _asked(settings: Settings) -> tuple[object, ...]:
    """What of the settings decides how entries are traced, besides the dimensions that are assumed."""
    return (settings.declared, settings.targets, settings.torch_version)


def new_run(project: Project, settings: Settings) -> AnalysisState:
    """The state of a check in which nothing has happened yet."""
    return AnalysisState(
        project,
        dynamic=assumed(settings.assume_dynamic),
        declared=settings.declared,
        targets=settings.targets,
        torch_version=settings.torch_version,
    )


def _load(project: Project, filename: str) -> tuple[Module | None, list[Problem]]:
    module = project.whole(filename)
    if module is not None:
        if module.problem is not None:
            return module, [Problem(filename, f"syntax error: {module.problem.message}", module.problem.position)]
        return module, []
    try:
        project.load(filename)
    except FileNotFoundError:
        message = "no such file"
    except IsADirectoryError:
        message = "is a directory"
    except OSError as error:
        message = error.strerror or str(error)
    except UnicodeDecodeError as error:
        message = f"cannot be decoded as {error.encoding}: byte {error.start}, {error.reason}"
    except (SyntaxError, ValueError) as error:
        message = str(error)
    else:
        message = "cannot be read"
    return None, [Problem(filename, message)]


class _Traced(Enum):
    """What traces some code."""

    AS_ASKED = "what the mode of the export says"
    # A backward pass: strict export alone comes there.
    BACKWARD = "Dynamo, in strict mode"
    # The function of a higher-order operator such as torch.cond, and all that it calls.
    CAPTURED = "Dynamo, in both modes"

    @property
    def backwards(self) -> _Traced:
        """What traces the backward passes of that code."""
        return self if self is _Traced.CAPTURED else _Traced.BACKWARD


class _Collector:
    """Turns what happened in the entries into findings, each line told once."""

    def __init__(self, run: AnalysisState, settings: Settings, between: Callable[[], None] | None) -> None:
        self._run = run
        self._settings = settings
        self._between = between
        # The summaries themselves are kept too: an id is only good for as long as its object lives.
        # Summaries whose facts were told, and whether as of code that always runs.
        self._seen: dict[tuple[int, frozenset[str], frozenset[str], _Traced], tuple[Summary, bool]] = {}
        self._findings: dict[tuple[str, str, Span], Finding] = {}
        self._outermost: dict[tuple[str, str, str, Span], BoundaryFinding] = {}
        # Where entries write attributes that they read before, or may read in the next call; and whether the inputs of all that
        # write there are in sight.
        self._carried: dict[ast.AST, tuple[bool, bool]] = {}
        # The classes of the modules that entries call, other than their own.
        self.called: set[str] = set()
        self.bound: BoundHit | None = None
        # Of the entry that is looked at.
        self._equal = EqualSizes()
        self._place = Place(0, 0)
        self._selected = {rule.code: settings.selects(rule.code, rule.name) for rule in registry()}

    def enter(self, entry: EntryPoint) -> str | None:
        """Run an entry; a note if it could not be followed to its end. `bound` is where it met one on its way."""
        self.bound = None
        if self._between is not None:
            self._between()
        summary, problem = run_entry(self._run, entry)
        if summary is not None:
            called = frozenset(own_goals(entry, self._settings.torch_version))
            context = Context(
                entry.name,
                self._run.dynamic.kind,
                self._settings.torch_version,
                self._run.project,
                root=self._run.root,
                goals=called.union(self._settings.to),
                called=called,
            )
            self._collect(summary, entry, context)
        return problem

    def read(self, module: Module) -> None:
        """What a file does with export's own interface, wherever that stands."""
        context = Context("", self._run.dynamic.kind, self._settings.torch_version, self._run.project)
        for fact in api_uses(self._run, module):
            self._state(fact, context, None, None)

    def _state(
        self,
        fact: Fact,
        context: Context,
        entry: EntryPoint | None,
        called_at: Site | None,
        *,
        most: Evidence = Evidence.OBSERVED,
        traced: _Traced = _Traced.AS_ASKED,
    ) -> None:
        """Add what the rules say of a fact; `most`: what it shows at the most, by where it stands; `traced`: by what."""
        for rule in _rules_of(fact, context.goals):
            if self._selected[rule.code]:
                for report in rule.check(fact, context):
                    if report.always and most is not Evidence.OBSERVED:
                        continue
                    if report.evidence > most:
                        report = replace(report, evidence=most)
                    captured = traced is _Traced.CAPTURED
                    finding = self._finding(rule, report, entry, called_at, fact, context, captured=captured)
                    if finding is not None and not captured and (traced is _Traced.BACKWARD or report.strict_alone):
                        finding = _in_strict_alone(finding, self._settings)
                    if finding is not None:
                        self._equal.specialize(report, self._place)
                        outermost = report.outermost or isinstance(fact, (EnteredFact, Returned))
                        self._add(finding, entry if outermost else None)

    def _collect(self, root: Summary, entry: EntryPoint, context: Context) -> None:
        """Turn what happened in a summary, and in all that it called, into findings."""
        stack: list[tuple[Summary, Site | None, _Traced]] = [
            (root, inherited_at(entry, self._run.project), _Traced.AS_ASKED)
        ]
        certain, usual = _always_called(root), _always_called(root, loops=True)
        perhaps = replace(context, optional=True)
        declared = any(isinstance(fact, EnteredFact) and fact.given for fact in root.facts)
        self._equal = EqualSizes()
        demands: list[Demand] = []
        narrowed: list[tuple[SizeNarrowed, Context, Site | None, Evidence, _Traced]] = []
        while stack:
            summary, called_at, traced = stack.pop()
            always = id(summary) in certain
            # What it is exported for decides what the rules say of the same facts.
            key = (id(summary), context.goals, context.called, traced)
            known = self._seen.get(key)
            if known is not None and known[1] >= always:
                continue
            self._seen[key] = (summary, always)
            if summary.call_contexts:
                self._note_called(summary, entry)
            for number, fact in enumerate(summary.facts):
                self._place = Place(id(summary), number)
                written = Evidence.OBSERVED
                if isinstance(fact, AttributeWritten):
                    written = self._written(fact, context, declared=declared)
                if written is None:
                    continue
                if type(fact) is BoundHit:
                    self.bound = self.bound or fact
                elif _rules_of(fact, context.goals) and not (traced is _Traced.BACKWARD and _is_free_in_backward(fact)):
                    most = min(_evidence_where(fact, summary, always=always), written)
                    sure = id(summary) in usual and not _is_branched(fact, summary)
                    if not sure and self._caller(fact.site, called_at) is not None:
                        most = Evidence.ASSUMED  # of all the options of a package one call takes few
                    where = context if always else perhaps
                    if type(fact) is SizeNarrowed:
                        narrowed.append((fact, where, called_at, most, traced))
                        continue
                    self._state(fact, where, entry, called_at, most=most, traced=traced)
                    if type(fact) is SizeDemanded:
                        demands.append(fact.demand)
                    if type(fact) is SizeDemanded and traced is not _Traced.BACKWARD:
                        self._equal.relate(Relation(fact, where, called_at, most, self._place))
            for where, inner in summary.calls:
                captured = _Traced.CAPTURED if where.node in summary.captured else traced
                stack.append((inner, self._caller(where, called_at) or where, captured))
            for where, inner in summary.backward_calls:
                stack.append((inner, self._caller(where, called_at) or where, traced.backwards))
        for relation, determined in self._equal.followed():
            self._state(determined, relation.context, entry, relation.called_at)
        for fact, where, called_at, most, traced in narrowed:
            if fact.guard is not None and not fact.guard.narrows(demands):
                continue
            # What is specialized as a whole has no sizes left that a bound could exclude.
            if fact.value.term is None or not self._equal.is_specialized(fact.value.term.dimensions):
                self._state(fact, where, entry, called_at, most=most, traced=traced)

    def _caller(self, site: Site, called_at: Site | None) -> Site | None:
        """The call of the project through which a place in the code of an installed package is reached; None for any other place.

        Args:
            called_at: the call through which the code of the place is reached; of what a package calls, this one.
        """
        is_of_package = self._run.project.is_of_package
        if called_at is None or not is_of_package(site.module.filename) or is_of_package(called_at.module.filename):
            return None
        return called_at

    def _written(self, fact: AttributeWritten, context: Context, *, declared: bool) -> Evidence | None:
        """How sure it is that what an attribute is given lives on to the next call; None where it does not.

        A class that others hold is looked at alone as well. Where each of them begins its state anew in every call
        (`self.cell.reset()`), only who exports the class itself meets it: nobody, where the file says what is exported.
        """
        if self._restored(fact):
            return None
        node = fact.site.node
        carried, known = self._carried.get(node, (False, True))
        if context.root is not None:
            carried |= fact.read_before or (fact.augmented and not fact.begun)
            self._carried[node] = carried, known and declared
        elif node in self._carried and not carried:
            return None if known else Evidence.DERIVED
        return Evidence.OBSERVED

    def _restored(self, fact: AttributeWritten) -> bool:
        """Whether the attribute has its old value again when the entry is left: nothing was kept then."""
        owner = fact.owner
        if type(owner) is not Instance:
            return False
        last = self._run.heap.get((id(owner), fact.name))
        if fact.augmented and type(last) is Static:
            # What was counted from a number that is not known is of its type as before, and not that number.
            return False
        return last is not None and last is owner.attributes.get(fact.name)

    def _note_called(self, summary: Summary, entry: EntryPoint) -> None:
        for info, environment in summary.call_contexts:
            receiver = next(iter(environment.values()), None)
            cls = receiver.cls if isinstance(receiver, Instance) else info.cls
            if cls is not None and cls is not entry.cls:
                self.called.add(_class_key(cls))

    def _add(self, finding: Finding, outermost_of: EntryPoint | None) -> None:
        key = (finding.filename, finding.code, finding.span)
        if outermost_of is not None and outermost_of.cls is not None:
            name = _class_key(outermost_of.cls)
            old = self._outermost.get((name, *key))
            if old is None or old.finding.confidence.rank < finding.confidence.rank:
                self._outermost[(name, *key)] = BoundaryFinding(name, finding)
            return
        known = self._findings.get(key)
        if known is not None and (both := _of_both(known, finding)) is not None:
            self._findings[key] = both
        elif known is None or _says_less(known, finding):
            self._findings[key] = finding

    def _finding(
        self,
        rule: Rule,
        report: RuleReport,
        entry: EntryPoint | None,
        called_at: Site | None,
        fact: Fact,
        context: Context,
        *,
        captured: bool,
    ) -> Finding | None:
        settings = self._settings
        judged = _judged(rule, report, context, captured=captured)
        if reads_number(self._run, fact):
            if judged[Mode.STRICT].verdict is Verdict.OK:
                return None
            report = replace(report, case=READ_NUMBER)
            judged = _judged(rule, report, context, captured=captured)
        verdict = {mode: found.verdict for mode, found in judged.items()}
        if report.verdict is None and all(verdict[mode] is Verdict.OK for mode in settings.modes):
            return None
        confidence = Confidence.CERTAIN if entry is None else confidence_of(report, entry)
        if confidence.rank < settings.min_confidence.rank:
            return None
        if not hasattr(report.site.node, "lineno"):
            return None  # something that the interpreter did by itself, such as asking an object for its length
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
                Related(
                    called_at.module.filename, called_at.module.lines.span(called_at.node), "reached through this call"
                )
            )
        # The first of the modes in which a goal's tool does something else than torch.export.
        told = next((judged[mode] for mode in settings.modes if judged[mode].goal), None)
        sizes = goal_verdict.sizes_of(fact, report.demand)
        said = "" if told is None else goal_verdict.remark(told, sizes, self._run.dynamic.sizes)
        module = report.site.module
        finding = Finding(
            code=rule.code,
            name=rule.name,
            message=report.message + said,
            filename=module.filename,
            span=module.lines.span(report.site.node),
            verdict=verdict,
            confidence=confidence,
            entry="" if entry is None else entry.name,
            case=report.case,
            related=tuple(related),
            fixable=report.fixable,
            # What nobody declared no declaration can say.
            demand=None if context.dimensions == "assumed" else report.demand,
            goal="" if told is None else told.goal,
        )
        caller = self._caller(report.site, called_at)
        if caller is None:
            return finding
        finding = _at_call(finding, module.name.partition(".")[0], caller)
        return None if finding.confidence.rank < settings.min_confidence.rank else finding

    def findings(self) -> tuple[Finding, ...]:
        """What was found, in whatever file of the project."""
        return tuple(self._findings.values())

    def outermost(self) -> tuple[BoundaryFinding, ...]:
        """What was found about values that go into entries and come out of them."""
        return tuple(self._outermost.values())


def _at_call(finding: Finding, package: str, called_at: Site) -> Finding:
    """What was found in the code of an installed package, at the call of the project that comes there: nobody mends the package.

    What its models keep between calls they would compute again, as a rule.
    """
    most = Confidence.LIKELY if Verdict.FAILS in finding.verdict.values() else Confidence.POSSIBLE
    module, row = called_at.module, finding.span.start.row
    span = module.lines.span(called_at.node)
    inside = Related(finding.filename, finding.span, "in the code of the installed package")
    others = [one for one in finding.related if (one.filename, one.span) != (module.filename, span)]
    return replace(
        finding,
        message=f"{finding.message} (in `{package}`, {os.path.basename(finding.filename)}:{row})",
        filename=module.filename,
        span=span,
        confidence=min(finding.confidence, most, key=lambda one: one.rank),
        related=(inside, *others),
        fixable=False,
        demand=None,
        package=package,
    )


def _rules_of(fact: Fact, goals: frozenset[str]) -> tuple[Rule, ...]:
    """The rules that may say something of a fact in an export for these goals."""
    return by_call(fact.name, goals) if isinstance(fact, Called) else by_fact().get(type(fact), ())


def _judged(rule: Rule, report: RuleReport, context: Context, *, captured: bool) -> dict[Mode, GoalVerdict]:
    """What a report claims of an export for these goals, by mode.

    Code that Dynamo captures in both modes does what it does in strict mode, or what was measured of it there.
    """
    if report.verdict is not None:
        return dict.fromkeys(Mode, GoalVerdict(report.verdict, rule.goal))
    case, asked = report.case, {mode: Mode.STRICT if captured else mode for mode in Mode}
    variant = f"{case}_captured"
    if captured and verdict_table.verdict(variant, context.torch_version, Mode.STRICT) is not None:
        case, asked = variant, {mode: mode for mode in Mode}
    return {
        mode: goal_verdict.judged(case, context.goals, context.torch_version, by, context.called)
        for mode, by in asked.items()
    }


def _is_branched(fact: Fact, summary: Summary) -> bool:
    """Whether a fact is on a path that tracing may not take even if all loops run, or in training mode alone."""
    return fact in summary.trained or (fact in summary.optional and fact not in summary.looped)


def _always_called(root: Summary, *, loops: bool = False) -> set[int]:
    """A summary, and those that are called on every path through it and through those; `loops`: if all loops run."""
    found: set[int] = set()
    waiting = [root]
    while waiting:
        summary = waiting.pop()
        if id(summary) not in found:
            found.add(id(summary))
            waiting += summary.certain_calls
            waiting += summary.looped_calls if loops else ()
    return found


def _evidence_where(fact: Fact, summary: Summary, *, always: bool) -> Evidence:
    """What a fact shows at the most: less on a path that tracing may not take, and least of a tensor that only training mode
    draws, of activations that only training mode checkpoints, or behind an option that is off by default.

    Models are exported in eval mode, as a rule, where what training drops is not dropped, and nothing is checkpointed.
    """
    if fact in summary.off:
        return Evidence.ASSUMED
    if fact not in summary.trained:
        return Evidence.OBSERVED if always and fact not in summary.optional else Evidence.DERIVED
    value: object = getattr(fact, "value", None)
    drawn = isinstance(value, Tensor) and value.random
    checkpoints = isinstance(fact, Called) and fact.name.startswith("torch.utils.checkpoint.")
    return Evidence.ASSUMED if drawn or checkpoints else Evidence.DERIVED


def _is_free_in_backward(fact: Fact) -> bool:
    """Whether strict export takes something in a backward pass, and there alone (measured: backward_branch_ok)."""
    return isinstance(fact, Called) and fact.name == "Tensor.requires_grad_"


def _in_strict_alone(finding: Finding, settings: Settings) -> Finding | None:
    """A finding as it is where non-strict export never comes; None where strict export takes that, or nobody asks for it."""
    if Mode.STRICT not in settings.modes or finding.verdict[Mode.STRICT] is Verdict.OK:
        return None
    return replace(finding, verdict={**finding.verdict, Mode.NON_STRICT: Verdict.OK})


def _says_less(known: Finding, finding: Finding) -> bool:
    """Whether a finding at the same place is told where the one that is known is not, or is of more modes, or surer, or of more
    failures."""

    def weight(one: Finding) -> tuple[bool, int, int, int]:
        verdicts = list(one.verdict.values())
        modes = len(verdicts) - verdicts.count(Verdict.OK)
        return one.confidence is not Confidence.POSSIBLE, modes, one.confidence.rank, verdicts.count(Verdict.FAILS)

    return weight(known) < weight(finding)


def _of_both(a: Finding, b: Finding) -> Finding | None:
    """The finding for two lower bounds of one dimension, which the layers of one call ask: the larger of them; None for any
    other two."""
    mine, other = a.demand, b.demand
    if mine is None or other is None or mine.kind != "least" or other.kind != "least":
        return None
    if mine.dimension != other.dimension or mine.number == other.number:
        return None
    stronger, weaker = (a, b) if mine.number > other.number else (b, a)
    verdict = {mode: weaker.verdict[mode] if ok is Verdict.OK else ok for mode, ok in stronger.verdict.items()}
    return replace(stronger, verdict=verdict)


def _class_key(cls: ClassInfo) -> str:
    return f"{cls.module.filename}:{cls.name}"
