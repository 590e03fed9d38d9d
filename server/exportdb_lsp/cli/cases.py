"""`exportdb-lsp cases`: the collection of measured programs, to read and to measure again."""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_cases.collection import Case
    from exportdb_cases.support_file import Record, SupportFile

_MODES = ("non-strict", "strict")
_VERDICTS = ("ok", "specializes", "diverges", "fails")
_COLOURS = {"ok": "green", "specializes": "yellow", "diverges": "magenta", "fails": "red", "-": "bright_black"}


@click.group()
def cases() -> None:
    """What torch.export supports, version by version: small programs with measured verdicts."""


@cases.command("list")
@click.option("--tag", help="Only cases with this tag of ExportDB, such as torch.cond.")
@click.option("--family", help="Only cases of this family, such as control_flow.")
@click.option("--verdict", type=click.Choice(_VERDICTS), help="Only cases that some mode has this verdict for.")
@click.option(
    "--torch-version", metavar="V", help="The version that the verdicts are for; default: the newest measured."
)
@click.option(
    "--output-format", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True, help="How."
)
def list_cases(
    tag: str | None, family: str | None, verdict: str | None, torch_version: str | None, output_format: str
) -> None:
    """List the cases with their verdicts on one version of torch."""
    version = _version(torch_version)
    rows: list[tuple[Case, dict[str, str]]] = []
    for case in _collection():
        if (tag and tag not in case.tags) or (family and family != case.family):
            continue
        verdicts = _verdicts(case.name, version)
        if verdict and verdict not in verdicts.values():
            continue
        rows.append((case, verdicts))
    if output_format == "json":
        click.echo(json.dumps([_listed(case, verdicts, version) for case, verdicts in rows], indent=2))
    elif output_format == "markdown":
        click.echo(_markdown(rows, version))
    else:
        for case, verdicts in rows:
            marks = " ".join(_coloured(verdicts[mode], 11) for mode in _MODES)
            click.echo(f"{case.name:<34} {marks} {case.description}")
        click.echo(f"{len(rows)} cases; verdicts in {' and '.join(_MODES)} on torch {version}", err=True)


@cases.command("show")
@click.argument("name")
def show(name: str) -> None:
    """Print a case, what it was measured to do, and the twin that exports."""
    from exportdb_cases.collection import find
    from exportdb_rules import support

    case = find(name)
    if case is None:
        near = difflib.get_close_matches(name, [known.name for known in _collection()], n=1)
        hint = f": did you mean {near[0]}?" if near else "; `exportdb-lsp cases list` has them all"
        raise click.UsageError(f"no case {name!r}{hint}")
    click.secho(f"{case.name} ({case.family})", bold=True)
    click.echo(case.description)
    for label, value in _links(case):
        click.echo(f"{label}: {value}")
    click.echo()
    click.echo(case.source.rstrip())
    click.echo()
    click.echo(f"{'torch':<10} {'non-strict':<12} {'strict':<12}")
    for version in support.versions():
        verdicts = _verdicts(case.name, version)
        click.echo(f"{version:<10} " + " ".join(_coloured(verdicts[mode], 12) for mode in _MODES))
    newest = support.records(support.versions()[-1]).get(case.name, {}) if support.versions() else {}
    for mode, record in sorted(newest.items()):
        for text in filter(None, (_exception(record), record.error)):
            click.echo(f"\n{mode}: {text}")
    if case.twin and (twin := find(case.twin)) is not None:
        click.echo(f"\n{twin.name}: {twin.description}\n")
        click.echo("\n".join(_difference(case, twin)))


@cases.command("diff")
@click.argument("older")
@click.argument("newer")
def diff(older: str, newer: str) -> None:
    """Say which verdicts changed between two measured versions of torch, such as 2.6.0 and 2.13.0."""
    before, after = _measured(older), _measured(newer)
    changes = _changes(before, after)
    for case, mode, old, new in changes:
        click.echo(f"{case:<34} {mode:<11} {_coloured(old, 11)} -> {_coloured(new, 11)}".rstrip())
    click.echo(f"{len(changes)} verdicts differ between torch {older} and {newer}", err=True)


@cases.command("run")
@click.argument("names", nargs=-1)
@click.option("--python", "interpreter", metavar="INTERPRETER", default=sys.executable, help="Whose torch to measure.")
@click.option("--mode", type=click.Choice([*_MODES, "both"]), default="both", show_default=True, help="Which export.")
@click.option("--official", is_flag=True, help="Only the programs of ExportDB that ship inside torch.")
@click.option("--json", "target", metavar="FILE", help="Write the records to this file (`-`: standard output).")
@click.option(
    "--keep", is_flag=True, help="Put the records of NAMES into the kept ones, beside those of the other cases."
)
@click.option("--check", "only_check", is_flag=True, help="Write nothing; end with 1 if the kept verdicts are not met.")
@click.option("--timeout", default=60.0, show_default=True, help="Seconds for one export.")
@click.option("--jobs", default=1, show_default=True, help="Exports at the same time.")
def run(
    names: tuple[str, ...],
    interpreter: str,
    mode: str,
    official: bool,
    target: str | None,
    keep: bool,
    only_check: bool,
    timeout: float,
    jobs: int,
) -> None:
    """Export the cases for real and record what happens.

    A run of all cases in both modes is kept in the collection, as support/<torch version>.json. A run of NAMES is
    printed only, unless --keep is given.
    """
    from exportdb_cases import support_file
    from exportdb_rules.finding import Mode

    from exportdb_lsp.measure.run import MeasureError, MeasureRequest, measure

    whole = not names and not official and mode == "both"
    request = MeasureRequest(
        cases=() if official and not names else tuple(_chosen(names)),
        modes=tuple(Mode) if mode == "both" else (Mode(mode),),
        interpreter=interpreter,
        official=official or whole,
        timeout=timeout,
        jobs=jobs,
    )
    try:
        with _Bar() as bar:
            measured = measure(request, on_progress=lambda step: bar.show(step.done, step.total, step.case))
    except MeasureError as error:
        raise click.ClickException(str(error)) from error
    kept_at = support_file.path_for(measured.torch)
    kept = support_file.read(kept_at) if kept_at.is_file() else None
    if target == "-":
        click.echo(measured.text(), nl=False)
    else:
        _print(measured)
    changes = _changes(kept, measured) if kept else []
    # A case that is new, or that was left out this time, contradicts nothing.
    changes = [change for change in changes if "-" not in change[2:]]
    for case, where, old, new in changes:
        click.echo(f"{case} {where}: the kept verdict is {old}, measured is {new}", err=True)
    if target and target != "-":
        Path(target).write_text(measured.text(), encoding="utf-8")
    elif (whole or keep) and not target and not only_check:
        joined = measured if whole or kept is None else kept.updated(measured)
        kept_at.write_text(joined.text(), encoding="utf-8")
        click.echo(f"written: {kept_at}", err=True)
    if only_check and kept is None:
        raise click.ClickException(f"torch {measured.torch} has no kept verdicts: {kept_at.name} is not there")
    if only_check and changes:
        sys.exit(1)


class _Bar:
    """How far a measurement is, on standard error of a terminal; silent elsewhere."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            click.echo("\r\x1b[K", err=True, nl=False)

    def show(self, done: int, total: int, case: str) -> None:
        """Draw the bar anew."""
        if self._live:
            filled = "#" * (30 * done // total)
            click.echo(f"\r\x1b[K[{filled:<30}] {done}/{total} {case}", err=True, nl=False)


def _collection() -> tuple[Case, ...]:
    from exportdb_cases.collection import CaseError, all_cases

    try:
        return all_cases()
    except CaseError as error:
        raise click.ClickException(str(error)) from error


def _chosen(names: tuple[str, ...]) -> Iterable[Case]:
    from exportdb_cases.collection import find

    for name in names:
        if find(name) is None:
            raise click.UsageError(f"no case {name!r}; `exportdb-lsp cases list` has them all")
    return [case for case in _collection() if not names or case.name in names]


def _version(asked: str | None) -> str:
    from exportdb_rules import support

    if asked is None:
        measured = support.versions()
        if not measured:
            raise click.ClickException("no version of torch was measured; `exportdb-lsp cases run` does it")
        return measured[-1]
    try:
        support.release(asked)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    return asked


def _verdicts(case: str, version: str) -> dict[str, str]:
    from exportdb_rules import support
    from exportdb_rules.finding import Mode

    found = {mode.value: support.verdict(case, version, mode) for mode in Mode}
    return {mode: verdict.value if verdict else "-" for mode, verdict in found.items()}


def _measured(version: str) -> SupportFile:
    from exportdb_cases import support_file
    from exportdb_rules import support

    if version not in support.versions():
        raise click.UsageError(f"torch {version} was not measured; {', '.join(support.versions())} were")
    return support_file.read(support_file.path_for(version))


def _changes(before: SupportFile, after: SupportFile) -> list[tuple[str, str, str, str]]:
    changes: list[tuple[str, str, str, str]] = []
    for case in sorted(set(before.records) | set(after.records)):
        for mode in _MODES:
            old, new = (file.records.get(case, {}).get(mode) for file in (before, after))
            was, now = ((record.verdict if record else None) or "-" for record in (old, new))
            if was != now:
                changes.append((case, mode, was, now))
    return changes


def _print(measured: SupportFile) -> None:
    counts: dict[str, int] = {}
    for case, modes in sorted(measured.records.items()):
        words = {mode: (modes[mode].verdict or "-") if mode in modes else "" for mode in _MODES}
        for word in filter(None, words.values()):
            counts[word] = counts.get(word, 0) + 1
        about = next(
            (text for mode in _MODES if mode in modes for text in (_exception(modes[mode]), modes[mode].error) if text),
            "",
        )
        click.echo(f"{case:<42} " + " ".join(_coloured(words[mode], 11) for mode in _MODES) + f" {about[:90]}".rstrip())
    total = ", ".join(f"{counts[word]} {word}" for word in (*_VERDICTS, "-") if word in counts)
    click.echo(f"torch {measured.torch}: {len(measured.records)} cases, {total}", err=True)


def _exception(record: Record) -> str:
    if record.exception is None:
        return record.message or ""
    place = f"line {record.line}: " if record.line else ""
    return f"{place}{record.exception.rsplit('.', 1)[-1]}: {record.message or ''}"


def _coloured(word: str, width: int) -> str:
    return click.style(f"{word:<{width}}", fg=_COLOURS.get(word)) if word in _COLOURS else f"{word:<{width}}"


def _links(case: Case) -> list[tuple[str, str]]:
    from exportdb_rules import support

    rows = [("tags", ", ".join(sorted(case.tags)))]
    if case.exportdb_case:
        rows.append(("ExportDB", case.exportdb_case))
    if breaks := support.graph_breaks(case.name):
        rows.append(("graph break", ", ".join(breaks)))
    rows += [("see", issue) for issue in case.issues]
    return rows


def _difference(case: Case, twin: Case) -> list[str]:
    lines = difflib.unified_diff(
        case.source.splitlines(), twin.source.splitlines(), f"{case.name}.py", f"{twin.name}.py", lineterm=""
    )
    colours = {"+": "green", "-": "red", "@": "cyan"}
    return [click.style(line, fg=colours.get(line[:1])) if line[:1] in colours else line for line in lines]


def _listed(case: Case, verdicts: dict[str, str], version: str) -> dict[str, Any]:
    from exportdb_rules import support

    return {
        "name": case.name,
        "family": case.family,
        "description": case.description,
        "tags": sorted(case.tags),
        "twin": case.twin,
        "exportdb_case": case.exportdb_case,
        "graph_break_ids": list(support.graph_breaks(case.name)),
        "issues": list(case.issues),
        "torch": version,
        "verdict": {mode: None if word == "-" else word for mode, word in verdicts.items()},
    }


def _markdown(rows: list[tuple[Case, dict[str, str]]], version: str) -> str:
    head = (
        f"# The cases on torch {version}\n\n"
        "Written by `exportdb-lsp cases list --output-format markdown`; what each word means is in the documentation, "
        "under *Verdicts*.\n\n"
        "| case | family | what it shows | non-strict | strict |\n|---|---|---|---|---|"
    )
    lines = [
        f"| `{case.name}` | {case.family} | {case.description.replace('|', '&#124;')} "
        f"| {verdicts['non-strict']} | {verdicts['strict']} |"
        for case, verdicts in rows
    ]
    return "\n".join([head, *lines])
