"""Symbolic shapes beside the names of a file, before anything was exported."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

TEXT = """\
import torch
from torch import nn
from torch.export import Dim, export


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(64, 96)

    def forward(self, x):
        batch, tokens, width = x.shape
        y = self.up(x)
        heads = y.view(batch, tokens, 4, 24).transpose(1, 2)
        both = torch.cat([heads, heads], 2)
        some = both[torch.isnan(both)]
        return both.sum(), some


shapes = {"x": {0: Dim("batch"), 1: Dim("tokens")}}
export(Net(), (torch.randn(2, 5, 64),), dynamic_shapes=shapes)
"""
WHOLE = types.Range(types.Position(0, 0), types.Position(99, 0))


async def hints(editor: Any, uri: str, range_: types.Range = WHOLE) -> list[tuple[int, int, str]]:
    params = types.InlayHintParams(types.TextDocumentIdentifier(uri), range_)
    found = await editor.within(editor.client.text_document_inlay_hint_async(params)) or []
    return [(hint.position.line, hint.position.character, hint.label) for hint in found]


async def test_what_the_code_implies_is_shown_while_it_is_typed(start: Any) -> None:
    editor = await start(settings={"inlayHints": True})
    uri = editor.open("net.py", TEXT)
    assert await hints(editor, uri) == [
        (10, 23, ": [batch, tokens, 64]"),
        (12, 9, ": [batch, tokens, 96]"),
        (13, 13, ": [batch, 4, tokens, 24]"),
        (14, 12, ": [batch, 4, 2 * tokens, 24]"),
    ]
    rows = types.Range(types.Position(12, 0), types.Position(12, 20))
    assert await hints(editor, uri, rows) == [(12, 9, ": [batch, tokens, 96]")]
    changed = TEXT.replace("nn.Linear(64, 96)", "nn.Linear(64, 48)").replace("4, 24", "4, 12")
    editor.change(uri, types.TextDocumentContentChangeWholeDocument(changed))
    assert (12, 9, ": [batch, tokens, 48]") in await hints(editor, uri)


async def test_a_hover_shows_the_shape_of_a_name(start: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", TEXT)
    assert (await editor.hover(uri, 14, 27)).value == "`heads: [batch, 4, tokens, 24]`"
    assert await editor.hover(uri, 16, 34) is None  # as many as there are


async def test_the_setting_turns_the_hints_off(start: Any) -> None:
    editor = await start()
    assert await hints(editor, editor.open("net.py", TEXT)) == []


async def test_a_text_that_is_no_python_is_no_error(start: Any) -> None:
    editor = await start(settings={"inlayHints": True})
    assert await hints(editor, editor.open("net.py", "def half(")) == []
    assert len(await hints(editor, editor.open("whole.py", TEXT))) == 4


async def test_sizes_are_called_what_the_docstring_calls_them(start: Any) -> None:
    editor = await start(settings={"inlayHints": True, "assumeDynamic": "all"})
    text = '''\
import torch
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x, mask: Float[Tensor, "batch tokens"], y):
        """Masks.

        Args:
            x: of shape (batch, tokens, dim)
        """
        z = x * mask.unsqueeze(-1)
        w = y.permute(1, 0)
        return z, w
'''
    uri = editor.open("net.py", text)
    assert await hints(editor, uri) == [
        (5, 23, ": [batch, tokens, dim]"),
        (5, 60, ": [batch, tokens]"),
        (5, 63, ": [y.shape[0], y.shape[1]]"),
        (11, 9, ": [batch, tokens, dim]"),
        (12, 9, ": [y.shape[1], y.shape[0]]"),
    ]
