"""What comments and docstrings hold for people: lists of suppressed rules, and names that have a page."""

from typing import Any

import pytest
from exportdb_lsp.lsp.document_links import links_in
from exportdb_lsp.lsp.positions import LineIndex
from exportdb_rules import rule
from exportdb_rules.finding import Position, Span
from lsprotocol import types


async def completed(editor: Any, uri: str, line: int, character: int) -> dict[str, types.CompletionItem]:
    params = types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
    found = await editor.within(editor.client.text_document_completion_async(params))
    return {item.label: item for item in found.items} if found else {}


def at_end(text: str) -> tuple[int, int]:
    lines = text.split("\n")
    return len(lines) - 1, len(lines[-1])


async def test_a_list_is_completed_while_it_is_typed(start: Any) -> None:
    editor = await start()
    text = "import torch\n\nx = 1  # exportdb: ignore["
    uri = editor.open("net.py", text)
    items = await completed(editor, uri, *at_end(text))
    assert items["EDB101"].detail.startswith("tensor-branch: ")
    assert items["tensor-branch"].detail.startswith("EDB101: ")
    assert items["EDB101"].sort_text < items["tensor-branch"].sort_text
    edit = items["EDB101"].text_edit
    assert (edit.new_text, edit.range.start, edit.range.end) == ("EDB101",) + (types.Position(*at_end(text)),) * 2


async def test_the_word_at_the_cursor_is_replaced_and_what_is_listed_is_not_offered_again(start: Any) -> None:
    editor = await start()
    # The emoji counts twice in this client's columns.
    text = 'x = "😀"  # exportdb: ignore[EDB101, tens]'
    uri = editor.open("net.py", text)
    items = await completed(editor, uri, 0, len(text) + 1 - len("]"))
    assert "EDB101" not in items
    assert "tensor-branch" not in items
    edit = items["tensor-assert"].text_edit
    start_of_word = text.index("tens]") + 1
    assert edit.range == types.Range(types.Position(0, start_of_word), types.Position(0, start_of_word + 4))


async def test_noqa_takes_codes_only(start: Any) -> None:
    editor = await start()
    text = "x = 1  # noqa: F401, E"
    items = await completed(editor, editor.open("net.py", text), *at_end(text))
    assert "EDB101" in items
    assert all(label.startswith("EDB") for label in items)


@pytest.mark.parametrize(
    "text", ["x = 1  # exportdb: ignore", 'x = "# exportdb: ignore["', "x = [", "# exportdb: args=[", "# a comment, "]
)
async def test_nothing_is_completed_elsewhere(start: Any, text: str) -> None:
    editor = await start()
    assert await completed(editor, editor.open("net.py", text), *at_end(text)) == {}


async def test_hovering_over_a_rule_in_a_comment_shows_its_page(start: Any) -> None:
    editor = await start()
    text = "import torch\n\nx = 1  # exportdb: ignore[EDB101, tensor-assert, nonsense]\n"
    uri = editor.open("net.py", text)
    line = text.split("\n")[2]
    code = await editor.hover(uri, 2, line.index("EDB101") + 2)
    assert code.value.startswith("**EDB101** [tensor-branch](https://")
    assert "## Use instead" in code.value
    assert "[tensor-assert](" in (await editor.hover(uri, 2, line.index("tensor-assert"))).value
    assert (await editor.hover(uri, 2, line.index("nonsense"))).value == "There is no rule `nonsense`."


PROSE = '''\
"""Why EDB101: torch says GB0170.

The case tensor_if shows it, on "😀" tensor_if_ok is what to do.
"""
import torch


def forward(x):
    "EDB401"
    text = "EDB101 GB0170 tensor_if in a string is no reference"
    return x  # GB9999, EDB999 and some_other_name; a dictionary
'''


async def test_codes_ids_and_cases_are_links_in_comments_and_docstrings(start: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", PROSE)
    params = types.DocumentLinkParams(types.TextDocumentIdentifier(uri))
    found = await editor.within(editor.client.text_document_document_link_async(params))
    lines = PROSE.split("\n")

    def written(link: types.DocumentLink) -> str:
        units = lines[link.range.start.line].encode("utf-16-le")
        return units[2 * link.range.start.character : 2 * link.range.end.character].decode("utf-16-le")

    assert {(written(link), link.target.rstrip("/").rpartition("/")[2]) for link in found} == {
        ("EDB101", "tensor-branch"),
        ("GB0170", "gb0170.html"),
        ("tensor_if", "tensor_if"),
        ("tensor_if_ok", "tensor_if_ok"),
        ("EDB401", "attribute-mutation"),
        ("GB9999", "gb9999.html"),
    }


def test_codes_of_four_digits_are_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule.documented()[1], "code", "EDB1001", raising=False)
    (found,) = links_in(LineIndex("x = 1  # EDB1001, not EDB10011\n"))
    assert found[0] == Span(Position(1, 10), Position(1, 17))
    assert rule.documented()[1].name in found[1]


async def test_a_text_that_does_not_parse_has_the_links_of_its_comments(start: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", "x = (  # EDB101\n")
    params = types.DocumentLinkParams(types.TextDocumentIdentifier(uri))
    found = await editor.within(editor.client.text_document_document_link_async(params))
    assert [link.range.start for link in found] == [types.Position(0, 9)]
