"""Comments that silence a finding, and the finding that tells of comments which silence nothing."""

from __future__ import annotations

import pytest
from checking import Checker
from exportdb_rules.report import begins

from ..programs import fill

PROGRAM = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        {body}
"""
BRANCH = """\
if x.sum() > 0:  {comment}
    return x
return -x
"""
PLAIN = """\
if x.sum() > 0:
    return x
return -x
"""


def codes(check_text: Checker, body: str, *, above: str = "", **settings: object) -> list[str]:
    text = above + fill(PROGRAM, body=body)
    return [finding.code for finding in check_text(text, **settings).findings]


@pytest.mark.parametrize(
    "comment",
    [
        "# exportdb: ignore",
        "# exportdb: ignore[EDB101]",
        "# exportdb: ignore[edb101]",
        "# exportdb: ignore[tensor-branch]",
        "# exportdb: ignore[EDB999, tensor-branch]",
        "# exportdb:ignore[EDB101]",
        "# noqa: EDB101",
        "# noqa: E501, EDB101",
        "# type: ignore  # exportdb: ignore[EDB101]",
    ],
)
def test_a_comment_on_the_line_silences_it(check_text: Checker, comment: str) -> None:
    assert codes(check_text, BRANCH.format(comment=comment)) == []


@pytest.mark.parametrize("comment", ["# exportdb: ignore[EDB102]", "# noqa", "# noqa: E501", "# noqa: EDB102"])
def test_another_comment_does_not(check_text: Checker, comment: str) -> None:
    assert "EDB101" in codes(check_text, BRANCH.format(comment=comment))


def test_text_that_looks_like_a_comment_is_none(check_text: Checker) -> None:
    body = """
        note = '# exportdb: ignore-file'
        if x.sum() > 0 and '# exportdb: ignore':
            return x
        return -x
    """
    assert "EDB101" in codes(check_text, body)


def test_a_file_can_be_ignored(check_text: Checker) -> None:
    assert codes(check_text, PLAIN, above="# exportdb: ignore-file\n") == []
    assert codes(check_text, PLAIN, above="# exportdb: ignore-file[EDB101]\n") == []
    assert "EDB101" in codes(check_text, PLAIN, above="# exportdb: ignore-file[EDB102]\n")


def test_any_line_of_a_long_expression_may_carry_the_comment(check_text: Checker) -> None:
    body = """
        if (
            x.sum()
            > 0  # exportdb: ignore[EDB101]
        ):
            return x
        return -x
    """
    assert codes(check_text, body) == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_any_editor_ends_them(check_text: Checker, end: str) -> None:
    body = """
        if x.sum() > 0:  # exportdb: ignore[EDB101]
            return x
        return x.data
    """
    text = fill(PROGRAM, body=body)
    assert [finding.code for finding in check_text(text.replace("\n", end)).findings] == ["EDB201"]


def test_what_silences_nothing_is_told(check_text: Checker) -> None:
    assert codes(check_text, "return x  # exportdb: ignore[EDB101]") == ["EDB001"]
    assert codes(check_text, "return x  # exportdb: ignore") == ["EDB001"]
    # A noqa may speak to another tool.
    assert codes(check_text, "return x  # noqa: EDB101") == []


def test_the_unused_one_can_be_switched_off(check_text: Checker) -> None:
    assert codes(check_text, "return x  # exportdb: ignore", ignore=("EDB001",)) == []
    assert codes(check_text, "return x  # exportdb: ignore", ignore=("unused-suppression",)) == []
    assert codes(check_text, "return x  # exportdb: ignore", select=("EDB1",)) == []
    assert codes(check_text, "return x  # exportdb: ignore", select=("Unused-Suppression",)) == ["EDB001"]
    assert codes(check_text, "return x  # exportdb: ignore", ignore=("",)) == ["EDB001"]


def test_selection_by_code_prefix_and_name(check_text: Checker) -> None:
    body = """
        if x.sum() > 0:
            return x.data
        return -x
    """
    assert codes(check_text, body) == ["EDB101", "EDB201"]
    assert codes(check_text, body, select=("EDB1",)) == ["EDB101"]
    assert codes(check_text, body, select=("data-attribute",)) == ["EDB201"]
    assert codes(check_text, body, ignore=("tensor-branch",)) == ["EDB201"]
    assert codes(check_text, body, select=("EDB",), ignore=("EDB2",)) == ["EDB101"]


@pytest.mark.parametrize(
    ("prefix", "selected"),
    [
        ("EDB", ["EDB101", "EDB1001"]),
        ("EDB1", ["EDB101"]),
        ("EDB10", ["EDB101"]),
        ("EDB101", ["EDB101"]),
        ("EDB100", ["EDB1001"]),
        ("EDB1001", ["EDB1001"]),
    ],
)
def test_a_prefix_of_one_family_selects_no_other(prefix: str, selected: list[str]) -> None:
    assert [code for code in ("EDB101", "EDB1001") if begins(code, prefix)] == selected
