"""A page per case: the program, what was measured, the twin that exports."""

from __future__ import annotations

import difflib

import verdicts
from exportdb_cases.collection import FAMILIES, Case, all_cases, find, fingerprint
from exportdb_lsp.measure.fixed import fix
from exportdb_rules import verdict_table
from exportdb_rules.engine import DEFAULT_TORCH, Project
from exportdb_rules.rule import registry

# One for all: which files of a folder import which others is read once.
_PROJECT = Project()
_TITLES = {family: family.replace("_", " ").capitalize() for family in FAMILIES}


def pages() -> dict[str, str]:
    """Path -> text."""
    named_by = {name: rule for rule in registry() for name in rule.cases}
    made = {f"cases/{case.name}.md": _page(case, named_by.get(case.name)) for case in all_cases()}
    return made | {"cases/index.md": _index()}


def _index() -> str:
    lines = [
        "# Cases",
        "",
        f"{len(all_cases())} small programs. Each demonstrates one thing and was exported on the torch versions of the "
        "[matrix](../support.md). They follow the ExportDB conventions: `model`, `example_args`, `tags`.",
    ]
    for family in FAMILIES:
        lines += ["", f"## {_TITLES[family]}", ""]
        lines += [
            f"- [`{case.name}`]({case.name}.md): {case.description}" for case in all_cases() if case.family == family
        ]
    return "\n".join(lines) + "\n"


def _page(case: Case, rule: object) -> str:
    lines = [f"# {case.name}", "", case.description, "", f"```python\n{case.source.rstrip()}\n```", ""]
    lines += ["## Measured", "", _measured(case), ""]
    if case.twin and (twin := find(case.twin)):
        lines += ["## Counterpart that exports", "", f"[`{twin.name}`]({twin.name}.md): {twin.description}", ""]
        lines += [f"```diff\n{_difference(case.source, twin.source, case.name, twin.name)}\n```", ""]
    lines += _fixed(case)
    links = _links(case, rule)
    if links:
        lines += ["## See", "", *links, ""]
    return "\n".join(lines)


def _measured(case: Case) -> str:
    lines = ["| torch | non-strict | strict |", "|---|---|---|"]
    for span in reversed(verdict_table.spans([case.name])):
        cells = [verdicts.mark(verdict or "-") for verdict in verdict_table.measured(case.name, span[0])]
        lines.append(f"| {verdict_table.span_title(span)} | {cells[0]} | {cells[1]} |")
    said: list[str] = []
    for version in reversed(verdict_table.versions()):
        for mode, record in sorted(verdict_table.records(version).get(case.name, {}).items()):
            if record.exception:
                place = f", at line {record.line}" if record.line else ""
                kind = record.exception.rsplit(".", 1)[-1]
                said.append(f"In {mode} mode torch {version} raises `{kind}`{place}:\n\n```text\n{record.message}\n```")
            elif record.operators:
                names = ", ".join(f"`{name}`" for name in record.operators)
                said.append(f"In {mode} mode on torch {version} these operators remain after decomposition: {names}.")
            elif record.message:
                said.append(f"In {mode} mode on torch {version}:\n\n```text\n{record.message}\n```")
        if said:
            break
    return "\n".join(lines) + "\n\n" + "\n\n".join(said)


def _difference(before: str, after: str, old: str, new: str) -> str:
    return "\n".join(difflib.unified_diff(before.splitlines(), after.splitlines(), old, new, lineterm=""))


def _fixed(case: Case) -> list[str]:
    """What the fixes make of the case, where that was measured."""
    fixed = fix(case, DEFAULT_TORCH, _PROJECT) if case.name in verdict_table.fixed_cases() else None
    measured = verdict_table.fixed_measured(case.name, fingerprint(fixed.text)) if fixed is not None else {}
    if fixed is None or not measured:
        return []
    titles = "; ".join(f"{done.title} ({done.code})" for done in fixed.applied)
    lines = ["## Fixed program", "", f"`exportdb-lsp check --fix --unsafe-fixes`: {titles}.", ""]
    lines += [f"```diff\n{_difference(case.source, fixed.text, case.name, 'fixed')}\n```", ""]
    lines += ["| torch | non-strict | strict |", "|---|---|---|"]
    for version, words in reversed(measured.items()):
        lines.append(f"| {version} | " + " | ".join(verdicts.mark(word or "-") for word in words) + " |")
    return [*lines, ""]


def _links(case: Case, rule: object) -> list[str]:
    links: list[str] = []
    if rule is not None:
        links.append(f"- Rule [{rule.name}](../rules/{rule.name}.md) ({rule.code})")
    if case.exportdb_case:
        links.append(f"- The program `{case.exportdb_case}` of ExportDB, which ships in `torch._export.db.examples`")
    for break_id in verdict_table.graph_breaks(case.name):
        page = f"https://meta-pytorch.github.io/compile-graph-break-site/gb/{break_id.lower()}.html"
        links.append(f"- Graph break [{break_id}]({page})")
    links += [f"- <{issue}>" for issue in case.issues]
    links += [f"- Tags: {', '.join(f'`{tag}`' for tag in sorted(case.tags))}"] if case.tags else []
    return links
