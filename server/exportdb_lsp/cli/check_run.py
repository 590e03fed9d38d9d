"""One run of `check`: from paths to findings on standard output and an exit status."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from exportdb_lsp.checking import baseline as known
from exportdb_lsp.checking.checker import check_groups
from exportdb_lsp.checking.plan import Group, Plan
from exportdb_lsp.checking.results import Change, Checked, Found, Trouble, Work
from exportdb_lsp.files.rewriting import FileError, TextFile, decode, read_text_file, write_back
from exportdb_lsp.files.walk import FileProblem, find_files
from exportdb_lsp.output.text import Printer, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from exportdb_lsp.checking.store import Store

_LINE_END = re.compile(r"\r\n|\r|\n")
# Below this many files a run is over before anybody looks for its progress.
MANY = 20


@dataclass(frozen=True)
class Wishes:
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
    def work(self) -> Work:
        """What the analyser is to compute."""
        # A fix costs more than a finding; github and gitlab have no place for one.
        show = self.output_format in ("text", "json", "jsonl", "sarif")
        return Work(show_fixes=show and not self.diff, apply=self.fix or self.diff, unsafe=self.unsafe_fixes)


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
    wishes: Wishes
    checked: list[Checked] = field(default_factory=list[Checked])
    troubles: list[Trouble] = field(default_factory=list[Trouble])
    sources: Sources = field(default_factory=Sources)
    stdin: TextFile | None = None
    groups: Sequence[Group] = ()
    jobs: int = 1

    def check_paths(self, paths: Sequence[str], files_from: str | None, jobs: int, store: Store | None) -> None:
        """Check files and folders. `jobs` is a number of processes, 0 for as many as there are cores."""
        names = list(paths)
        if files_from is not None:
            names += _read_names(files_from)
        elif not names:
            names = ["."]
        problems: list[FileProblem] = []
        files = find_files(names, problems, self._exclude)
        self.troubles += [Trouble(problem.filename, problem.message) for problem in problems]
        progress = _progress(len(files)) if len(files) >= MANY and sys.stderr.isatty() else None
        jobs = jobs or os.cpu_count() or 1
        self.groups, self.jobs = self.plan.groups(files), jobs
        self.checked = self._check(self.groups, self.wishes.work, jobs, progress, store)
        if progress is not None:
            click.echo("\r\x1b[K", nl=False, err=True)

    def check_stdin(self, filename: str | None) -> None:
        """Check standard input, as the file of this name in the project of that file."""
        name = os.path.abspath(filename) if filename else "-"
        root = self.plan.root(Path(name) if filename else Path.cwd())
        try:
            self.stdin = decode(Path(name), sys.stdin.buffer.read())
        except FileError as error:
            self.troubles.append(Trouble(name, str(error)))
            return
        self.sources.put(name, self.stdin.text)
        work = self.wishes.work
        work = Work(work.show_fixes, work.apply, work.unsafe, {name: self.stdin.text})
        self.checked = self._check([Group(root, self.plan.engine_settings(root), (name,))], work)

    def _check(
        self,
        groups: Sequence[Group],
        work: Work,
        jobs: int = 1,
        progress: Callable[[int], None] | None = None,
        store: Store | None = None,
    ) -> list[Checked]:
        if not self.wishes.verify:
            return check_groups(groups, work, jobs, progress, store)
        from exportdb_lsp.cli.check_verify import verified

        return verified(self.plan, groups, work, jobs, store)

    def finish(self) -> int:
        """Write everything that is to be written, and give the exit status."""
        self.troubles += [Trouble.of_setting(problem) for problem in self.plan.problems]
        if self.wishes.verify:
            self.troubles += [Trouble.of_setting(problem, note=True) for problem in self.plan.withheld]
        changes = [result.change for result in self.checked if result.change is not None]
        if not self.wishes.diff:
            changes = self._write_changes(changes)
        self.troubles += [trouble for item in self.checked for trouble in item.troubles]
        found = [item for result in self.checked for item in result.found]
        if self.wishes.write_baseline is not None:
            self._write_baseline(self.wishes.write_baseline, found)
            found = []
        else:
            found = self._new(found)
            if self.wishes.diff:
                self._show_diff(changes)
            else:
                self._write_findings(found, sum(len(change.applied) for change in changes))
        for trouble in self.troubles:
            click.echo(f"{'note' if trouble.note else 'error'}: {trouble}", err=True)
        if any(not trouble.note for trouble in self.troubles):
            return 2
        return 1 if (found or (self.wishes.diff and changes)) and not self.wishes.exit_zero else 0

    def _new(self, found: list[Found]) -> list[Found]:
        """What the baseline does not know: everything where there is none, or none that can be read."""
        if self.wishes.baseline is None:
            return found
        try:
            return known.read(self.wishes.baseline).new(found, self.sources.line)
        except known.BaselineError as error:
            self.troubles.append(Trouble("", str(error)))
            return found

    def _write_baseline(self, path: Path, found: Sequence[Found]) -> None:
        try:
            known.write(path, found, self.sources.line)
        except known.BaselineError as error:
            self.troubles.append(Trouble("", str(error)))
        else:
            click.echo(f"{counted(len(found), 'finding')} written to {path}", err=True)

    def _exclude(self, folder: Path) -> tuple[Path, Sequence[str]]:
        root = self.plan.root(folder)
        return root, self.plan.settings(root).exclude

    def _show_diff(self, changes: Sequence[Change]) -> None:
        from exportdb_lsp.output import diff

        printer = Printer(sys.stdout)
        for change in changes:
            diff.write(str(change.file.path), change.file.text, change.text, sys.stdout, printer)
        fixes = sum(len(change.applied) for change in changes)
        click.echo(f"Would fix {fixes} in {counted(len(changes), 'file')}.", err=True)

    def _write_changes(self, changes: Sequence[Change]) -> list[Change]:
        """Write the files that were fixed; those that could be written. What could not is not fixed, and found again."""
        if self.stdin is not None and self.wishes.fix:
            text = changes[0].text if changes else self.stdin.text
            self.sources.put(str(self.stdin.path), text)
            sys.stdout.buffer.write(text.encode(self.stdin.encoding, "surrogatepass"))
            sys.stdout.buffer.flush()
            return list(changes)
        written: list[Change] = []
        for change in changes:
            filename = str(change.file.path)
            try:
                write_back(change.file, change.text, self.plan.root(change.file.path))
            except FileError as error:
                self.troubles.append(Trouble(filename, str(error)))
            else:
                written.append(change)
                self.sources.put(filename, change.text)
        if len(written) < len(changes):
            # In every file: what is found in one may rest on what could not be written in another.
            self.checked = check_groups(self.groups, replace(self.wishes.work, apply=False), self.jobs)
        return written

    def _write_findings(self, found: Sequence[Found], applied: int) -> None:
        # A fixed text on standard output is the output; what is left to say goes beside it.
        out = sys.stderr if self.stdin is not None and self.wishes.fix else sys.stdout
        if self.wishes.output_format == "text":
            from exportdb_lsp.output import text

            printer = Printer(out)
            if self.wishes.statistics:
                text.write_statistics(found, printer)
            else:
                text.write(found, self.sources.line, printer)
            whole = sum(all(trouble.note for trouble in result.troubles) for result in self.checked)
            if found or whole or not self.troubles:
                text.write_summary(found, whole, applied, printer)
            return
        _writer(self.wishes.output_format, self.sources, self.troubles)(found, out)
        if self.wishes.statistics:
            from exportdb_lsp.output import text

            text.write_statistics(found, Printer(sys.stderr))


def _writer(
    output_format: str, sources: Sources, troubles: Sequence[Trouble]
) -> Callable[[Sequence[Found], TextIO], None]:
    """What writes findings in a format; each is imported only when it is asked for."""
    if output_format == "github":
        from exportdb_lsp.output import github

        return github.write
    if output_format == "gitlab":
        from exportdb_lsp.output import gitlab

        return lambda found, out: gitlab.write(found, sources.line, out)
    if output_format == "sarif":
        from exportdb_lsp.output import sarif

        return lambda found, out: sarif.write(found, troubles, sources.line, out)
    from exportdb_lsp.output import machine

    return machine.write_json if output_format == "json" else machine.write_json_lines


def _read_names(files_from: str) -> list[str]:
    """The paths in a file, one a line; separated by null bytes if it has any, as `find -print0` writes them."""
    try:
        data = sys.stdin.buffer.read() if files_from == "-" else Path(files_from).read_bytes()
    except OSError as error:
        raise click.UsageError(f"--files-from {files_from}: cannot be read: {error.strerror}") from None
    lines = data.split(b"\0") if b"\0" in data else data.splitlines()
    return [os.fsdecode(line) for line in lines if line.strip()]


def _progress(total: int) -> Callable[[int], None]:
    def show(done: int) -> None:
        click.echo(f"\r\x1b[Kchecked {done} of {total} files", nl=False, err=True)

    return show
