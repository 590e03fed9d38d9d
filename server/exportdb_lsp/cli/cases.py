"""`exportdb-lsp cases`: the collection of measured programs, to read and to measure again."""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING, Any

import click

from exportdb_lsp.cli.cases_run import run
from exportdb_lsp.cli.cases_shown import (
    MODES,
    NONE,
    VERDICTS,
    changes,
    collection,
    coloured,
    completed,
    linked,
    named,
    reason,
)
from exportdb_lsp.cli.program import CannotTry
from exportdb_lsp.links import graph_break_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_cases.collection import Case
    from exportdb_cases.support_file import SupportFile


@click.group()
def cases() -> None:
    """What torch.export supports, version by version: small programs with measured verdicts."""


cases.add_command(run)


@cases.command("list")
@click.option("--tag", metavar="TAG", help="Only cases with this ExportDB tag, such as torch.cond.")
@click.option("--family", metavar="FAMILY", help="Only cases of this family, such as control_flow.")
@click.option("--verdict", type=click.Choice(VERDICTS), help="Only cases with this verdict in some mode.")
@click.option(
    "--torch-version", metavar="V", help="Report the verdicts of this torch version.  [default: the newest measured]"
)
@click.option(
    "--output-format",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="Output format; `markdown` is the table in the repository.",
)
def list_cases(
    tag: str | None, family: str | None, verdict: str | None, torch_version: str | None, output_format: str
) -> None:
    """List the cases with their verdicts on one torch version."""
    version = _version(torch_version)
    _must_exist("tag", tag, {tag for case in collection() for tag in case.tags})
    _must_exist("family", family, {case.family for case in collection()})
    rows: list[tuple[Case, dict[str, str]]] = []
    for case in collection():
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
            marks = " ".join(coloured(verdicts[mode], 11) for mode in MODES)
            click.echo(f"{case.name:<34} {marks} {case.description}")
        click.echo(f"{len(rows)} cases; verdicts in {' and '.join(MODES)} on torch {version}", err=True)


def _must_exist(what: str, asked: str | None, known: set[str]) -> None:
    if asked is not None and asked not in known:
        raise click.UsageError(f"no {what} {asked!r}; choose from {', '.join(sorted(known))}")


@cases.command("show", short_help="Print a case and its measured verdicts.")
@click.argument("name", shell_complete=completed)
def show(name: str) -> None:
    """Print a case, its measured verdicts, its counterpart that exports, and its fixed version."""
    from exportdb_cases.collection import find
    from exportdb_rules import verdict_table

    case = named(name)
    click.secho(f"{case.name} ({case.family})", bold=True)
    click.echo(case.description)
    for label, value in _links(case):
        click.echo(f"{label}: {value}")
    click.echo(f"\n{case.source.rstrip()}\n")
    click.echo(f"{'torch':<10} {'non-strict':<12} {'strict':<12}")
    for version in verdict_table.versions():
        words = [verdict or NONE for verdict in verdict_table.measured(case.name, version)]
        click.echo(f"{version:<10} " + " ".join(coloured(word, 12) for word in words).rstrip())
    newest = verdict_table.records(verdict_table.versions()[-1]).get(case.name, {}) if verdict_table.versions() else {}
    for mode, record in sorted(newest.items()):
        if text := reason(record):
            click.echo(f"\n{mode}: {text}")
        if record.operators:
            click.echo(f"\n{mode}, operators after decomposition: {', '.join(record.operators)}")
    if case.twin and (twin := find(case.twin)) is not None:
        click.echo(f"\n{twin.name}: {twin.description}\n")
        click.echo("\n".join(_difference(case.source, twin.source, f"{case.name}.py", f"{twin.name}.py")))
    for line in _fixed(case):
        click.echo(line)


def _fixed(case: Case) -> Iterator[str]:
    """What the fixes make of a case, and what that was measured to do."""
    from exportdb_cases.collection import fingerprint
    from exportdb_rules import verdict_table
    from exportdb_rules.engine import DEFAULT_TORCH, Project

    from exportdb_lsp.measure.fixed import fix

    fixed = fix(case, DEFAULT_TORCH, Project())
    if fixed is None:
        return
    yield "\nfixed: " + "; ".join(f"{done.code} {done.title}" for done in fixed.applied) + "\n"
    yield from _difference(case.source, fixed.text, f"{case.name}.py", f"{case.name}.py, fixed")
    yield f"\n{'torch':<10} {'non-strict':<12} {'strict':<12}"
    for version, verdicts in verdict_table.fixed_measured(case.name, fingerprint(fixed.text)).items():
        yield f"{version:<10} " + " ".join(coloured(verdict or NONE, 12) for verdict in verdicts).rstrip()


@cases.command("diff", short_help="Compare the verdicts of two torch versions.")
@click.argument("older")
@click.argument("newer")
def diff(older: str, newer: str) -> None:
    """Compare the verdicts of two measured torch versions, such as 2.6.0 and 2.13.0."""
    differences = changes(_measured(older), _measured(newer))
    for case, mode, old, new in differences:
        click.echo(f"{case:<34} {mode:<11} {coloured(old, 11)} -> {coloured(new, 11)}".rstrip())
    click.echo(f"{len(differences)} verdicts differ between torch {older} and {newer}", err=True)


def _version(asked: str | None) -> str:
    from exportdb_rules import verdict_table

    if asked is None:
        measured = verdict_table.versions()
        if not measured:
            raise CannotTry("no torch version has been measured; run `exportdb-lsp cases run`")
        return measured[-1]
    try:
        verdict_table.release(asked)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    return asked


def _verdicts(case: str, version: str) -> dict[str, str]:
    from exportdb_rules import verdict_table
    from exportdb_rules.finding import Mode

    found = {mode.value: verdict_table.verdict(case, version, mode) for mode in Mode}
    return {mode: verdict.value if verdict else NONE for mode, verdict in found.items()}


def _measured(version: str) -> SupportFile:
    from exportdb_cases import support_file
    from exportdb_rules import verdict_table

    if version not in verdict_table.versions():
        raise click.UsageError(
            f"torch {version} has not been measured; measured versions: {', '.join(verdict_table.versions())}"
        )
    return support_file.read(support_file.path_for(version))


def _links(case: Case) -> list[tuple[str, str]]:
    from exportdb_rules import verdict_table

    rows = [("tags", ", ".join(sorted(case.tags)))]
    if case.exportdb_case:
        newest = verdict_table.versions()[-1]
        words = " / ".join(
            verdict or NONE for verdict in verdict_table.measured(f"official/{case.exportdb_case}", newest)
        )
        rows.append(("ExportDB", f"{case.exportdb_case}, itself {words} on torch {newest}"))
    if breaks := verdict_table.graph_breaks(case.name):
        rows.append(("graph break", ", ".join(linked(name, graph_break_page(name)) for name in breaks)))
    rows += [("see", issue) for issue in case.issues]
    return rows


def _difference(before: str, after: str, old: str, new: str) -> list[str]:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), old, new, lineterm="")
    colours = {"+": "green", "-": "red", "@": "cyan"}
    return [click.style(line, fg=colours.get(line[:1])) if line[:1] in colours else line for line in lines]


def _listed(case: Case, verdicts: dict[str, str], version: str) -> dict[str, Any]:
    from exportdb_rules import verdict_table

    return {
        "name": case.name,
        "family": case.family,
        "description": case.description,
        "tags": sorted(case.tags),
        "twin": case.twin,
        "exportdb_case": case.exportdb_case,
        "graph_break_ids": list(verdict_table.graph_breaks(case.name)),
        "graph_break_urls": [graph_break_page(name) for name in verdict_table.graph_breaks(case.name)],
        "issues": list(case.issues),
        "torch": version,
        "verdict": {mode: None if word == NONE else word for mode, word in verdicts.items()},
    }


def _markdown(rows: list[tuple[Case, dict[str, str]]], version: str) -> str:
    head = (
        f"# The cases on torch {version}\n\n"
        "Generated by `exportdb-lsp cases list --output-format markdown`; the documentation defines the verdicts under "
        "*Verdicts*.\n\n"
        "| case | family | what it shows | non-strict | strict |\n|---|---|---|---|---|"
    )
    lines = [
        f"| `{case.name}` | {case.family} | {case.description.replace('|', '&#124;')} "
        f"| {verdicts['non-strict']} | {verdicts['strict']} |"
        for case, verdicts in rows
    ]
    return "\n".join([head, *lines])
