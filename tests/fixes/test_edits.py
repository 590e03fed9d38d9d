"""Edits are applied together, in the positions of the old text, or refused."""

from __future__ import annotations

import pytest
from exportdb_rules.finding import Edit, Position, Span
from exportdb_rules.rewrite import edits
from exportdb_rules.rewrite.edits import EditError, TextOffsets
from hypothesis import given
from hypothesis import strategies as st


def edit(start: tuple[int, int], end: tuple[int, int], content: str) -> Edit:
    return Edit(Span(Position(*start), Position(*end)), content)


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        ("abc\ndef\n", [edit((1, 2), (1, 3), "X")], "aXc\ndef\n"),
        ("abc\ndef\n", [edit((2, 1), (2, 1), "X"), edit((1, 1), (1, 4), "")], "\nXdef\n"),
        ("abc\r\ndef", [edit((1, 4), (2, 1), "+")], "abc+def"),
        ("a\fb\nc", [edit((2, 1), (2, 2), "X")], "a\fb\nX"),
        ("x = '😀' + y", [edit((1, 11), (1, 12), "z")], "x = '😀' + z"),
        ("abc", [edit((1, 1), (1, 1), "X"), edit((1, 1), (1, 2), "Y")], "XYbc"),
        ("abc\n", [edit((2, 1), (2, 1), "d\n")], "abc\nd\n"),
        ("", [edit((1, 1), (1, 1), "import torch\n")], "import torch\n"),
    ],
)
def test_edits_speak_of_the_text_before_them(text: str, changes: list[Edit], expected: str) -> None:
    assert edits.apply(text, changes) == expected


@pytest.mark.parametrize(
    "changes",
    [
        [edit((1, 1), (1, 3), ""), edit((1, 2), (1, 4), "")],
        [edit((1, 1), (1, 1), "a"), edit((1, 1), (1, 1), "b")],
        [edit((3, 2), (3, 2), "a")],
        [edit((1, 9), (1, 9), "a")],
        [edit((1, 3), (1, 1), "a")],
    ],
    ids=["overlap", "same place", "no such row", "no such column", "backwards"],
)
def test_wrong_edits_are_refused(changes: list[Edit]) -> None:
    with pytest.raises(EditError):
        edits.apply("abcd\nef", changes)


def test_fixes_that_overlap_wait_for_the_next_round_and_shared_imports_are_made_once() -> None:
    imports = edit((1, 1), (1, 1), "import torch\n")
    first = (imports, edit((2, 1), (2, 4), "one"))
    clash = (edit((2, 2), (2, 3), "two"),)
    second = (imports, edit((3, 1), (3, 2), "three"))
    groups = [first, clash, second]
    assert edits.compatible(groups) == [0, 2]
    assert edits.apply("\nabc\nd\n", edits.merged([first, second])) == "import torch\n\none\nthree\n"


@given(st.text(alphabet="ab\n\r\f😀é", max_size=30), st.data())
def test_an_offset_is_the_row_and_the_column_that_python_counts(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if text[max(offset - 1, 0) : offset + 1] == "\r\n":
        offset += 1  # inside a line end there is no position
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert TextOffsets(text).offset(Position(len(before), len(before[-1]) + 1)) == offset
