"""Joining what export did with what the analyser reads: the line to blame where torch names none."""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from exportdb_rules.disk import read_bytes
from exportdb_rules.engine import DEFAULT_TORCH, Settings, check_files, fixes
from exportdb_rules.finding import Applicability, Confidence, Mode, Verdict
from exportdb_rules.importers import imported_files
from exportdb_rules.project import Project
from exportdb_rules.rule import find
from exportdb_rules.source import split_lines
from exportdb_rules.torch_errors import rules_for

from exportdb_lsp.confirm.messages import failing_statement
from exportdb_lsp.confirm.result import ExportResult, Failure, Frame, Outcome, RuleNote
from exportdb_lsp.confirm.syntax import parsed
from exportdb_lsp.interpreter import package_folders
from exportdb_lsp.links import rule_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.finding import Finding

    from exportdb_lsp.confirm.request import ExportRequest

# Files that a program imports, of which one may hold the model that it exports.
_MAX_IMPORTED = 40


def joined(result: ExportResult, request: ExportRequest, text: str, analyses: Analyses | None = None) -> ExportResult:
    """A result that says something against a model, with what the static findings of the same model add to it.

    A divergence has no line of its own, and neither have some failures: the finding that foretold it gives one. And
    where `draft_export` could not look behind the first failure, findings further on are told as not reached.

    Args:
        analyses: those of the request's other results, if there are any.
    """
    analysis = _Analysis(result, request, text, analyses or Analyses(request))
    return _by_error(analysis.noted(_with_lines(result, request, text, analysis)), analysis)


def _by_error(result: ExportResult, analysis: _Analysis) -> ExportResult:
    """The rule that torch's text speaks of, where no finding stands on the line."""
    codes = analysis.rules(result) if result.rule is None else ()
    rule = find(codes[0]) if codes else None
    return result if rule is None else replace(result, rule=RuleNote(rule.code, rule.name, rule_page(rule.name)))


def _with_lines(result: ExportResult, request: ExportRequest, text: str, analysis: _Analysis) -> ExportResult:
    """The line to blame where torch names none, and the findings that the export did not get to."""
    lineless = result.outcome in (Outcome.DIVERGES, Outcome.FAILS) and not result.frames
    undrafted = result.outcome is Outcome.FAILS and (result.mode is Mode.STRICT or bool(result.draft))
    if not lineless and not undrafted:
        return result
    found = analysis.foretelling(Verdict.DIVERGES if result.outcome is Outcome.DIVERGES else Verdict.FAILS)
    if lineless and not found and result.difference is not None and result.difference.changed:
        return _by_attribute(result, request, text, result.difference.changed)
    if lineless and found:
        first = found[0]
        frame = _frame(first, request, text)
        message = f"{result.message}; likely cause: line {frame.row}, `{frame.code}` ({first.code} {first.name})"
        result = replace(result, frames=(frame,), blamed=True, message=message)
    if undrafted:
        known = {(f.filename, f.row) for f in result.frames} | {
            (f.frame.filename, f.frame.row) for f in result.failures if f.frame
        }
        ahead = [
            Failure(f.message, frames=(_frame(f, request, text),), reached=False, code=f.code)
            for f in found
            if (f.filename, f.span.start.row) not in known and not _passed(f, result.frame, text, request.filename)
        ]
        result = replace(result, failures=(*result.failures, *ahead))
    return result


def _by_attribute(result: ExportResult, request: ExportRequest, text: str, changed: tuple[str, ...]) -> ExportResult:
    """The line that writes an attribute which had changed when the answers fell apart."""
    names = {name.rpartition(".")[2] for name in changed}
    for function in ast.walk(parsed(text)):
        if not isinstance(function, ast.FunctionDef) or function.name == "__init__":
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and node.attr in names and _written(node, function):
                code = split_lines(text)[node.lineno - 1].strip()
                frame = Frame(request.filename, node.lineno, code, function.name)
                message = f"{result.message}; likely cause: line {frame.row}, `{code}`, which the exported program does not repeat"
                return replace(result, frames=(frame,), blamed=True, message=message)
    return result


def _written(attribute: ast.Attribute, function: ast.FunctionDef) -> bool:
    """Assigned to, or called a method of (`self.seen.append`)."""
    if isinstance(attribute.ctx, ast.Store):
        return True
    for node in ast.walk(function):
        method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.value is attribute
        item = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and node.value is attribute
        if method or item:
            return True
    return False


class Analyses:
    """What the analyser says of the files of one request, which is the same for all results of a mode."""

    def __init__(self, request: ExportRequest) -> None:
        self.project = Project(request.root)
        for filename, document in request.documents.items():
            self.project.set_text(filename, document)
        self._findings: dict[tuple[tuple[str, ...], Settings], tuple[Finding, ...]] = {}

    def read(self, filename: str, text: str) -> None:
        """Takes `text` for the file's."""
        if self.project.source(filename) != text:
            self.project.set_text(filename, text)
            self._findings.clear()

    def findings(self, filenames: Sequence[str], settings: Settings) -> tuple[Finding, ...]:
        """The findings in some files."""
        key = (tuple(dict.fromkeys(filenames)), settings)
        if key not in self._findings:
            reports = check_files(self.project, key[0], settings)
            self._findings[key] = tuple(finding for report in reports for finding in report.findings)
        return self._findings[key]


class _Analysis:
    """What the analyser says of the file of a result, for the torch and the mode of the result."""

    def __init__(self, result: ExportResult, request: ExportRequest, text: str, analyses: Analyses) -> None:
        self._result = result
        self._request = request
        self._text = text
        self._project = analyses.project
        self._settings = Settings(
            torch_version=result.torch.partition("+")[0] or DEFAULT_TORCH,
            modes=(result.mode,),
            assume_dynamic="all" if result.dimensions or result.suggested_fixes else "none",
            min_confidence=Confidence.POSSIBLE,
            packages=package_folders(request.interpreter),
        )
        self._findings: tuple[Finding, ...] = ()
        # An analyser that stumbles over this file must not cost the verdict of a real export.
        with suppress(Exception):
            analyses.read(request.filename, text)
            named = [request.filename, *(f.filename for f in result.frames if f.project)]
            self._findings = analyses.findings(named, self._settings)
            if not self._findings and not result.frames:
                # The model stands in another file than what exports it.
                others = imported_files(self._project, request.filename, _MAX_IMPORTED)
                self._findings = analyses.findings(others, self._settings)

    def foretelling(self, wanted: Verdict) -> list[Finding]:
        """The findings of the model with a verdict, the likeliest first."""
        request, target = self._request, self._result.target.partition(".")[0]
        found = [finding for finding in self._findings if finding.verdict.get(self._result.mode) is wanted]
        # An inner module is an entry too, and a line is told for the entry that reached it first.
        strangers = _strangers(self._text, target)
        found = [finding for finding in found if finding.entry.partition(".")[0] not in strangers]
        own = [finding for finding in found if finding.entry.partition(".")[0] == target]
        return sorted(own or found, key=lambda f: (-f.confidence.rank, f.filename != request.filename, f.span))

    def rules(self, result: ExportResult) -> tuple[str, ...]:
        """The codes of the rules that torch's text speaks of, the likeliest first."""
        if result.outcome is not Outcome.FAILS or result.exception is None:
            return ()
        frame, statement = result.frame, None
        if frame is not None:
            text = self._text if frame.filename == self._request.filename else self._project.source(frame.filename)
            statement = failing_statement(text or None, frame.row, frame.code)
        return rules_for(result.exception, result.detail, result.graph_break_id, statement)

    def noted(self, result: ExportResult) -> ExportResult:
        """The result with the rule that speaks of its line, and the fix that the rule has for it."""
        frame = result.frame
        if frame is None:
            return result
        here = [f for f in self._findings if f.span.start.row <= frame.row <= f.span.end.row]
        here = [f for f in here if f.filename == frame.filename]
        if not here:
            return result
        codes = self.rules(result)
        finding = max(
            here, key=lambda f: (f.verdict.get(result.mode) is not Verdict.OK, f.code in codes[:1], f.confidence.rank)
        )
        note = RuleNote(finding.code, finding.name, rule_page(finding.name))
        with suppress(Exception):
            offered = fixes(self._project, finding, self._settings)
            fix = next((fix for fix in offered if fix.preferred), None)
            if fix is not None:
                note = replace(note, fix=fix.title, unsafe=fix.applicability is not Applicability.SAFE)
        return replace(result, rule=note)


def _strangers(text: str, target: str) -> set[str]:
    """The classes and functions of the file that the target has nothing to do with: nothing in it speaks of them."""
    defined: dict[str, set[str]] = {}
    for node in parsed(text).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            defined[node.name] = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            defined[node.targets[0].id] = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
    if target not in defined:
        return set()
    reached: set[str] = set()
    pending = [target]
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += defined.get(name, ())
    return set(defined) - reached


def _frame(finding: Finding, request: ExportRequest, text: str) -> Frame:
    row = finding.span.start.row
    lines: Sequence[str] = ()
    if finding.filename == request.filename:
        lines = split_lines(text)
    elif finding.filename in request.documents:
        lines = split_lines(request.documents[finding.filename])
    else:
        try:
            lines = split_lines(read_bytes(finding.filename).decode("utf-8"))
        except (OSError, UnicodeDecodeError):
            lines = ()
    return Frame(finding.filename, row, lines[row - 1].strip() if 0 < row <= len(lines) else "", finding.entry)


def _passed(finding: Finding, failed: Frame | None, text: str, filename: str) -> bool:
    """Whether the finding stands before the failing line in the same function: export was past it."""
    if failed is None or finding.filename != failed.filename or finding.filename != filename:
        return False
    row = finding.span.start.row
    if row > failed.row:
        return False
    for node in ast.walk(parsed(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inside = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            if row in inside and failed.row in inside:
                return True
    return False
