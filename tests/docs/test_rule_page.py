"""The page of a rule carries the measurements, wherever it is read."""

from __future__ import annotations

from click.testing import CliRunner
from exportdb_lsp.cli.program import program
from exportdb_rules import verdict_table
from exportdb_rules.page import page
from exportdb_rules.rule import find


def test_the_section_of_verdicts_holds_every_case_over_every_version() -> None:
    rule = find("EDB101")
    assert rule is not None
    section = page(rule).split("## Verdicts by version\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    columns = verdict_table.spans(rule.cases)
    assert rows[0] == "| case | " + " | ".join(map(verdict_table.span_title, columns)) + " |"
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows[1:]] == list(rule.cases)
    # Every measured version stands in one of the columns, in their order.
    order = [version for first, last in columns for version in (first, last)]
    measured = verdict_table.versions()
    assert (order[0], order[-1]) == (measured[0], measured[-1])
    assert [measured.index(version) for version in order] == sorted(measured.index(version) for version in order)


def test_the_rest_of_the_page_is_the_text_of_the_rule() -> None:
    rule = find("EDB101")
    assert rule is not None
    for section in ("What it does", "Fix safety", "References"):
        part = rule.documentation.split(f"## {section}\n")[1].split("\n## ")[0].strip()
        assert part in page(rule)


def test_modes_that_disagree_are_both_told() -> None:
    rule = find("tensor-assert")
    assert rule is not None
    row = next(line for line in page(rule).splitlines() if line.startswith("| tensor_assert |"))
    assert [cell.strip() for cell in row.split("|")[2:-1]] == ["fails / ok"] * len(verdict_table.spans(rule.cases))


def test_the_command_prints_the_same_page() -> None:
    rule = find("EDB101")
    assert rule is not None
    assert page(rule).strip() in CliRunner().invoke(program, ["rule", "EDB101"]).stdout
