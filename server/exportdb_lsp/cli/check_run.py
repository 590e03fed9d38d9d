"""One run of `check`: from paths to findings on standard output and an exit status."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import click
from exportdb_rules.disk import read_bytes
from exportdb_rules.finding import Position, Problem, Span
from exportdb_rules.project import digest_of

from exportdb_lsp.checking import baseline as known
from exportdb_lsp.checking.checker import check_groups
from exportdb_lsp.checking.plan import Plan, ProjectFiles
from exportdb_lsp.checking.results import Change, Checked, CheckedFinding, CheckRequest, cell_name
from exportdb_lsp.confirm import kept_verdicts
from exportdb_lsp.confirm.confirmation import join
from exportdb_lsp.files.names import problem_line
from exportdb_lsp.files.notebook import SUFFIX, Notebook, parse_notebook, read_notebook
from exportdb_lsp.files.rewriting import FileError, TextFile, decode, read_text_file, write_back
from exportdb_lsp.files.walk import SUFFIXES, find_files
from exportdb_lsp.output.text import Printer, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from exportdb_lsp.checking.cache_store import CacheStore

_LINE_END = re.compile(r"\r\n|\r|\n")
# What a shell puts in place of `<(…)`, and standard input by its names.
_DESCRIPTOR: Final = re.compile(r"/dev/stdin|(?:/dev|/proc/self)/fd/\d+")
# In bytes: a million paths.
MAX_NAMES: Final = 64 * 1024 * 1024
# Below this many files a run is over before anybody looks for its progress.
MANY = 20


@dataclass(frozen=True)
class CheckOptions:
    """What was asked for besides the settings."""

    output_format: str
    fix: bool
    unsafe_fixes: bool
    diff: bool
    statistics: bool
    exit_zero: bool
    baseline: Path | None
    write_baseline: Path | None
    verify: bool = False

    @property
    def work(self) -> CheckRequest:
        """What the analyser is to compute."""
        # A fix costs more than a finding; github and gitlab have no place for one, and a baseline has none.
        show = self.output_format in ("text", "json", "jsonl", "sarif") and self.write_baseline is None
        return CheckRequest(
            show_fixes=show and not self.diff,
            fix_of_code=self.statistics and self.output_format == "text",
            apply=self.fix or self.diff,
            unsafe=self.unsafe_fixes,
        )


class Sources:
    """The lines of the checked texts, for showing. A file is read once, when a line of it is first asked for."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def put(self, filename: str, text: str) -> None:
        """The text of a file, in place of what the disk has."""
        self._lines[filename] = _LINE_END.split(text)

    def line(self, filename: str, row: int) -> str:
        """A line by its row, from 1, without its end; empty where there is none."""
        if filename not in self._lines:
            try:
                self.put(filename, read_text_file(Path(filename)).text)
            except FileError:
                self.put(filename, "")
        lines = self._lines[filename]
        return lines[row - 1] if 0 < row <= len(lines) else ""


@dataclass
class CheckRun:
    """Gathers what was found and what went wrong; `finish` writes it all."""

    plan: Plan
    options: CheckOptions
    checked: list[Checked] = field(default_factory=list[Checked])
    problems: list[Problem] = field(default_factory=list[Problem])
    sources: Sources = field(default_factory=Sources)
    stdin: TextFile | None = None
    groups: Sequence[ProjectFiles] = ()
    jobs: int = 1
    store: CacheStore | None = None
    books: dict[str, Notebook] = field(default_factory=dict[str, Notebook])
    given: dict[str, str] = field(default_factory=dict[str, str])
    """The digest of what stood on standard input, by the name that it was given."""
    later: bool = False
    """Whether fixes are asked for once it is known which findings are shown."""

    def check_paths(
        self,
        paths: Sequence[str],
        files_from: str | None,
        jobs: int,
        store: CacheStore | None,
        changed_since: str | None = None,
    ) -> None:
        """Check files and folders. `jobs` is a number of processes, 0 for as many as there are cores; `changed_since` a
        commit: only the files that changed since."""
        names = list(paths)
        if files_from is not None:
            names += _read_names(files_from)
        elif not names:
            names = ["."]
        self.plan.named = tuple([Path(os.path.abspath(name)) for name in names if os.path.isdir(name)])
        files = find_files(names, self.problems, self._exclude, (*SUFFIXES, SUFFIX))
        if changed_since is not None:
            files = self._changed(files, changed_since, names)
        notebooks = [path for path in files if path.suffix == SUFFIX]
        files = [path for path in files if path.suffix != SUFFIX]
        progress = _progress(len(files)) if len(files) >= MANY and sys.stderr.isatty() else None
        jobs = jobs or os.cpu_count() or 1
        self.groups, self.jobs, self.store = self.plan.groups(files), jobs, store
        # What the baseline knows is not shown: its fixes are not asked for.
        work = self.options.work
        self.later = work.show_fixes and self.options.baseline is not None and not self.options.verify
        work = replace(work, show_fixes=work.show_fixes and not self.later)
        self.checked = self._check(self.groups, work, jobs, progress, store)
        self._read_notebooks(notebooks)
        self.checked += self._check_notebooks(work)
        if progress is not None:
            click.echo("\r\x1b[K", nl=False, err=True)

    def _changed(self, files: Sequence[Path], reference: str, names: Sequence[str]) -> list[Path]:
        from exportdb_lsp.files.changed import changed_since

        try:
            changed = changed_since(reference, [Path(name).absolute() for name in names])
        except FileError as error:
            self.problems.append(Problem("", f"--changed-since {reference}: {error}"))
            return []
        return [path for path in files if os.path.realpath(path) in changed]

    def _read_notebooks(self, paths: Sequence[Path]) -> None:
        for path in paths:
            try:
                book = self.books[str(path)] = read_notebook(path)
            except FileError as error:
                self.problems.append(Problem(str(path), str(error)))
            else:
                self._put(str(path), book)

    def _check_notebooks(self, work: CheckRequest) -> list[Checked]:
        if not self.books:
            return []
        if work.apply and self.options.verify:
            work = replace(work, apply=False)
            message = "fixes of notebooks cannot be verified: none applied"
            self.problems += [Problem(name, message, note=True) for name in self.books]
        texts = {name: book.text for name, book in self.books.items()}
        return check_groups(self.plan.groups(map(Path, texts)), replace(work, texts=texts), 1)

    def _put(self, filename: str, book: Notebook) -> None:
        """The lines of a notebook: of its Python, and of its cells."""
        self.sources.put(filename, book.text)
        for cell in book.cells:
            self.sources.put(cell_name(filename, cell.number), cell.text)

    def check_stdin(self, filename: str | None) -> None:
        """Check standard input, as the file of this name in the project of that file."""
        name = os.path.abspath(filename) if filename else "-"
        root = self.plan.root(Path(name) if filename else Path.cwd())
        data = sys.stdin.buffer.read()
        self.given[name] = digest_of(data)
        try:
            if name.endswith(SUFFIX):
                book = self.books[name] = parse_notebook(Path(name), data)
                self.stdin = book.file
            else:
                self.stdin = decode(Path(name), data)
        except FileError as error:
            self.problems.append(Problem(name, str(error)))
            return
        text = self.books[name].text if name in self.books else self.stdin.text
        self.sources.put(name, text)
        if name in self.books:
            self._put(name, self.books[name])
        work = self.options.work
        work = replace(work, texts={name: text})
        self.checked = self._check([ProjectFiles(root, self.plan.engine_settings(root), (name,))], work)

    def _check(
        self,
        groups: Sequence[ProjectFiles],
        work: CheckRequest,
        jobs: int = 1,
        progress: Callable[[int], None] | None = None,
        store: CacheStore | None = None,
    ) -> list[Checked]:
        if not self.options.verify:
            return check_groups(groups, work, jobs, progress, store, ending=not self.later)
        from exportdb_lsp.cli.check_verify import verified

        return verified(self.plan, groups, work, jobs, store)

    def finish(self) -> int:
        """Write everything that is to be written, and give the exit status."""
        self.problems += self.plan.problems
        if self.options.verify:
            self.problems += self.plan.withheld
        changes = [result.change for result in self.checked if result.change is not None]
        if not self.options.diff:
            changes = self._write_changes(changes)
        self.problems += [self._in_cell(problem) for item in self.checked for problem in item.problems]
        found = [item for result in self.checked for item in result.found]
        if self.options.write_baseline is not None:
            self._write_baseline(self.options.write_baseline, found)
            found = []
        else:
            found = self._new(found)
            found = self._joined(self._with_fixes(found) if self.later else found)
            found = [self._located(item) for item in found]
            if self.options.diff:
                self._show_diff(changes)
            else:
                self._write_findings(found)
        # Each stream has a buffer of its own: where both go to one place, their order is that of the writing.
        sys.stdout.flush()
        for problem in self.problems:
            click.echo(f"{'note' if problem.note else 'error'}: {problem_line(problem)}", err=True)
        sys.stderr.flush()
        if self.options.output_format == "text" and not self.options.diff and self.options.write_baseline is None:
            self._write_summary(found, sum(len(change.applied) for change in changes))
        if any(not problem.note for problem in self.problems):
            return 2
        return 1 if (found or (self.options.diff and changes)) and not self.options.exit_zero else 0

    def _with_fixes(self, found: list[CheckedFinding]) -> list[CheckedFinding]:
        """Findings with their fixes, which were not asked for before it was known which are shown."""
        wanted: dict[str, set[tuple[str, Span]]] = {}
        for item in found:
            if item.finding.fixable:
                wanted.setdefault(item.finding.filename, set()).add((item.finding.code, item.finding.span))
        if not wanted:
            return found
        fixes_of = {name: frozenset(places) for name, places in wanted.items()}
        work = replace(self.options.work, apply=False, fixes_of=fixes_of)
        groups = [replace(g, filenames=tuple([n for n in g.filenames if n in wanted])) for g in self.groups]
        checked = check_groups([group for group in groups if group.filenames], work, self.jobs, None, self.store)
        checked += self._check_notebooks(work)
        known = {(i.finding.filename, i.finding.code, i.finding.span): i for result in checked for i in result.found}
        return [known.get((i.finding.filename, i.finding.code, i.finding.span), i) for i in found]

    def _joined(self, found: list[CheckedFinding]) -> list[CheckedFinding]:
        """Findings with what earlier exports said of them."""

        @cache
        def digest(filename: str) -> str | None:
            return self.given.get(filename) or kept_verdicts.digest(filename)

        joined: list[CheckedFinding] = []
        for filename, group in groupby(found, key=lambda item: item.finding.filename):
            items = list(group)
            verdicts = self.plan.verdicts(filename, digest)
            if verdicts:
                settings = self.plan.engine_settings(self.plan.root(Path(filename)))
                said = join([item.finding for item in items], verdicts, settings.torch_version).confirmations
                items = [
                    replace(item, confirmation=one, modes=settings.modes) for item, one in zip(items, said, strict=True)
                ]
            joined += items
        return joined

    def _new(self, found: list[CheckedFinding]) -> list[CheckedFinding]:
        """What the baseline does not know: everything where there is none, or none that can be read."""
        if self.options.baseline is None:
            return found
        try:
            return known.read(self.options.baseline).new(found, self.sources.line)
        except known.BaselineError as error:
            self.problems.append(Problem("", str(error)))
            return found

    def _write_baseline(self, path: Path, found: Sequence[CheckedFinding]) -> None:
        try:
            known.write(path, found, self.sources.line)
        except known.BaselineError as error:
            self.problems.append(Problem("", str(error)))
        else:
            click.echo(f"{counted(len(found), 'finding')} written to {path}", err=True)

    def _exclude(self, folder: Path) -> tuple[Path, Sequence[str]]:
        root = self.plan.root(folder)
        return root, self.plan.settings(root).exclude

    def _show_diff(self, changes: Sequence[Change]) -> None:
        from exportdb_lsp.output import diff

        printer = Printer(sys.stdout)
        for change in changes:
            filename = str(change.file.path)
            book = self.books.get(filename)
            if book is None:
                diff.write(filename, change.file.text, change.text, sys.stdout, printer)
                continue
            for number, text in self._changed_cells(book, change.text).items():
                diff.write(cell_name(filename, number), book.cell(number), text, sys.stdout, printer)
        fixes = sum(len(change.applied) for change in changes)
        click.echo(f"Would apply {fixes} fix{'' if fixes == 1 else 'es'} in {counted(len(changes), 'file')}.", err=True)

    def _write_changes(self, changes: Sequence[Change]) -> list[Change]:
        """Write the files that were fixed; those that could be written. What could not is not fixed, and found again."""
        if self.stdin is not None and self.options.fix:
            book = self.books.get(str(self.stdin.path))
            text = self.stdin.text
            if changes:
                text = changes[0].text if book is None else self._with_cells(book, changes[0].text)
            self.sources.put(str(self.stdin.path), text)
            sys.stdout.buffer.write(text.encode(self.stdin.encoding, "surrogatepass"))
            sys.stdout.buffer.flush()
            return list(changes)
        written: list[Change] = []
        for change in changes:
            filename = str(change.file.path)
            book = self.books.get(filename)
            try:
                if book is None:
                    write_back(change.file, change.text, self.plan.root(change.file.path))
                else:
                    write_back(book.file, book.with_text(change.text), self.plan.root(change.file.path))
            except FileError as error:
                self.problems.append(Problem(filename, str(error)))
            else:
                written.append(change)
                self.sources.put(filename, change.text)
                if book is not None:
                    self.books[filename] = read_notebook(change.file.path)
                    self._put(filename, self.books[filename])
        if len(written) < len(changes):
            # In every file: what is found in one may rest on what could not be written in another.
            work = replace(self.options.work, apply=False)
            self.checked = check_groups(self.groups, work, self.jobs) + self._check_notebooks(work)
        return written

    def _changed_cells(self, book: Notebook, text: str) -> dict[int, str]:
        try:
            return book.changed(text)
        except FileError as error:
            self.problems.append(Problem(str(book.file.path), str(error)))
            return {}

    def _with_cells(self, book: Notebook, text: str) -> str:
        try:
            return book.with_text(text)
        except FileError as error:
            self.problems.append(Problem(str(book.file.path), str(error)))
            return book.file.text

    def _located(self, item: CheckedFinding) -> CheckedFinding:
        """A finding of a notebook with the places that it has in its cell; a fix that reaches into others is none."""
        book = self.books.get(item.finding.filename)
        if book is None:
            return item
        cell, _ = book.place(item.finding.span.start.row)
        related = tuple(
            [
                replace(
                    one,
                    span=_in_cell(book, one.span),
                    message=f"{one.message} (cell {book.place(one.span.start.row)[0]})",
                )
                if one.filename == item.finding.filename
                else one
                for one in item.finding.related
            ]
        )
        finding = replace(item.finding, span=_in_cell(book, item.finding.span), related=related)
        fix = item.fix
        if fix is not None:
            inside = all(book.place(row)[0] == cell for e in fix.edits for row in (e.span.start.row, e.span.end.row))
            edits = tuple([replace(edit, span=_in_cell(book, edit.span)) for edit in fix.edits])
            fix = replace(fix, edits=edits) if inside else None
        return replace(item, finding=finding, fix=fix, cell=cell)

    def _in_cell(self, problem: Problem) -> Problem:
        book = self.books.get(problem.filename)
        if book is None or problem.position is None:
            return problem
        cell, row = book.place(problem.position.row)
        place = Position(row, problem.position.column)
        return replace(problem, filename=cell_name(problem.filename, cell), position=place)

    @property
    def _out(self) -> TextIO:
        # A fixed text on standard output is the output; what is left to say goes beside it.
        return sys.stderr if self.stdin is not None and self.options.fix else sys.stdout

    def _write_summary(self, found: Sequence[CheckedFinding], applied: int) -> None:
        """The last lines: behind the findings, and behind what went wrong."""
        from exportdb_lsp.output import text

        whole = sum(all(problem.note for problem in result.problems) for result in self.checked)
        if found or whole or not self.problems:
            text.write_summary(found, whole, applied, Printer(self._out))

    def _write_findings(self, found: Sequence[CheckedFinding]) -> None:
        out = self._out
        if self.options.output_format == "text":
            from exportdb_lsp.output import text

            printer = Printer(out)
            if self.options.statistics:
                text.write_statistics(found, printer)
            else:
                text.write(found, self.sources.line, printer)
            return
        _writer(self.options.output_format, self.sources, self.problems)(found, out)
        if self.options.statistics:
            from exportdb_lsp.output import text

            text.write_statistics(found, Printer(sys.stderr))


def _in_cell(book: Notebook, span: Span) -> Span:
    start, end = (Position(book.place(place.row)[1], place.column) for place in (span.start, span.end))
    return Span(start, end)


def _writer(
    output_format: str, sources: Sources, problems: Sequence[Problem]
) -> Callable[[Sequence[CheckedFinding], TextIO], None]:
    """What writes findings in a format; each is imported only when it is asked for."""
    if output_format == "github":
        from exportdb_lsp.output import github

        return github.write
    if output_format == "gitlab":
        from exportdb_lsp.output import gitlab

        return lambda found, out: gitlab.write(found, sources.line, out)
    if output_format == "sarif":
        from exportdb_lsp.output import sarif

        return lambda found, out: sarif.write(found, problems, sources.line, out)
    from exportdb_lsp.output import machine

    return machine.write_json if output_format == "json" else machine.write_json_lines


def _read_names(files_from: str) -> list[str]:
    """The paths in a file, one a line; separated by null bytes if it has any, as `find -print0` writes them."""
    try:
        data = _names_in(files_from)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise click.UsageError(f"--files-from {files_from}: cannot be read: {reason}") from None
    lines = data.split(b"\0") if b"\0" in data else data.splitlines()
    return [os.fsdecode(line) for line in lines if line.strip()]


def _names_in(files_from: str) -> bytes:
    """The content of a regular file, or of what this process was started with: standard input, or `<(…)` of a shell."""
    if files_from != "-" and _DESCRIPTOR.fullmatch(files_from) is None:
        return read_bytes(files_from, MAX_NAMES)
    with contextlib.ExitStack() as opened:
        stream = sys.stdin.buffer if files_from == "-" else opened.enter_context(open(files_from, "rb"))
        data = stream.read(MAX_NAMES + 1)
    if len(data) > MAX_NAMES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data


def _progress(total: int) -> Callable[[int], None]:
    def show(done: int) -> None:
        click.echo(f"\r\x1b[Kchecked {done} of {total} files", nl=False, err=True)

    return show
