"""Rows and code points here, lines and code units there: with characters of every width, and places outside the text."""

import pytest
from exportdb_lsp.lsp.positions import Encoding, LineIndex
from exportdb_rules.finding import Position
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

# One, two, three and four bytes in UTF-8; the last two units in UTF-16.
LINE = "aé中😀b"
ENDS = {
    Encoding.UTF8: [0, 1, 3, 6, 10, 11],
    Encoding.UTF16: [0, 1, 2, 3, 5, 6],
    Encoding.UTF32: [0, 1, 2, 3, 4, 5],
}


@pytest.mark.parametrize("encoding", Encoding)
def test_every_character_begins_where_its_encoding_says(encoding: Encoding) -> None:
    lines = LineIndex(f"x\n{LINE}\n")
    for column, unit in enumerate(ENDS[encoding], 1):
        assert lines.to_client(Position(2, column), encoding) == types.Position(1, unit)
        assert lines.from_client(types.Position(1, unit), encoding) == Position(2, column)


@pytest.mark.parametrize(("encoding", "inside"), [(Encoding.UTF8, [7, 8, 9]), (Encoding.UTF16, [4])])
def test_a_place_inside_a_character_is_its_start(encoding: Encoding, inside: list[int]) -> None:
    for unit in inside:
        assert encoding.code_points(LINE, unit) == 3


@pytest.mark.parametrize("encoding", Encoding)
def test_places_outside_the_text_are_taken_to_its_border(encoding: Encoding) -> None:
    lines = LineIndex("a\r\nbc")
    assert lines.offset(types.Position(0, 99), encoding) == 1
    assert lines.offset(types.Position(9, 9), encoding) == 5
    assert lines.to_client(Position(99, 1), encoding) == types.Position(1, 2)
    assert LineIndex("").offset(types.Position(3, 3), encoding) == 0


def test_only_the_three_line_ends_of_the_protocol_end_a_line() -> None:
    text = "a\x0cb\u2028c\x85d\ne\r\nf\rg"
    assert [LineIndex(text).line(i) for i in range(len(LineIndex(text)))] == ["a\x0cb\u2028c\x85d", "e", "f", "g"]


TEXTS = st.text(alphabet=st.sampled_from("ab \n\r\té中😀\x0c\u2028\ud83d\ude00"), max_size=40)


@given(TEXTS, st.sampled_from(list(Encoding)))
def test_there_and_back_is_the_same_place(text: str, encoding: Encoding) -> None:
    lines = LineIndex(text)
    for row in range(1, len(lines) + 1):
        line = lines.line(row - 1)
        for column in range(1, len(line) + 2):
            if encoding is Encoding.UTF16 and "\ud83d\ude00" in line[: column + 1]:
                continue  # two lone surrogates side by side are one character for UTF-16: no place between them
            there = lines.to_client(Position(row, column), encoding)
            assert lines.from_client(there, encoding) == Position(row, column)


@given(TEXTS, st.integers(0, 9), st.integers(0, 99), st.sampled_from(list(Encoding)))
def test_any_place_is_a_place_in_the_text(text: str, line: int, character: int, encoding: Encoding) -> None:
    assert 0 <= LineIndex(text).offset(types.Position(line, character), encoding) <= len(text)
