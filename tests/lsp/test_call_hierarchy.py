"""How export gets to a line: the calls that the analyser follows, as call hierarchy."""

from pathlib import Path
from typing import Any

from lsprotocol import types

HELPER = """\
def gate(x):
    return fold(x) if x.sum() > 0 else x


def fold(x):
    return x + 1


def nobody(x):
    return fold(x)
"""

MODEL = """\
import torch
from helper import gate


class Block(torch.nn.Module):
    def forward(self, x):
        return gate(x) + gate(x + 1)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x)
"""


async def prepared(editor: Any, uri: str, line: int, character: int) -> list[types.CallHierarchyItem]:
    params = types.CallHierarchyPrepareParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
    return await editor.within(editor.client.text_document_prepare_call_hierarchy_async(params)) or []


async def callers(editor: Any, item: types.CallHierarchyItem) -> list[tuple[str, str, list[int]]]:
    params = types.CallHierarchyIncomingCallsParams(item)
    found = await editor.within(editor.client.call_hierarchy_incoming_calls_async(params))
    return [
        (Path(one.from_.uri).name, one.from_.name, [range_.start.line for range_ in one.from_ranges]) for one in found
    ]


async def incoming(editor: Any, item: types.CallHierarchyItem) -> list[types.CallHierarchyItem]:
    params = types.CallHierarchyIncomingCallsParams(item)
    return [one.from_ for one in await editor.within(editor.client.call_hierarchy_incoming_calls_async(params))]


async def test_a_line_is_followed_back_to_where_export_begins(start: Any, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    editor = await start()
    uri = editor.open("helper.py", HELPER)
    (gate,) = await prepared(editor, uri, 1, 25)  # on the `x` of the condition: in no call, so in `gate`
    assert (gate.name, gate.kind, gate.selection_range.start) == (
        "gate",
        types.SymbolKind.Function,
        types.Position(0, 4),
    )
    (fold,) = await prepared(editor, uri, 1, 12)  # on the call of `fold`
    assert fold.name == "fold"
    # What export does not reach calls nobody.
    assert await callers(editor, fold) == [("helper.py", "gate", [1])]
    assert await callers(editor, gate) == [("model.py", "Block.forward", [6, 6])]
    (block,) = await incoming(editor, gate)
    assert (block.kind, "export begins here" in block.detail) == (types.SymbolKind.Method, True)
    assert await callers(editor, block) == [("model.py", "Net.forward", [15])]
    (net,) = await incoming(editor, block)
    assert await callers(editor, net) == []


async def test_what_an_entry_leads_to(start: Any, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER)
    editor = await start()
    uri = editor.open("model.py", MODEL)
    (net,) = await prepared(editor, uri, 14, 10)
    params = types.CallHierarchyOutgoingCallsParams(net)
    (call,) = await editor.within(editor.client.call_hierarchy_outgoing_calls_async(params))
    assert (call.to.name, call.from_ranges[0].start.line) == ("Block.forward", 15)
    params = types.CallHierarchyOutgoingCallsParams(call.to)
    (call,) = await editor.within(editor.client.call_hierarchy_outgoing_calls_async(params))
    assert (call.to.name, Path(call.to.uri).name, len(call.from_ranges)) == ("gate", "helper.py", 2)


async def test_what_is_not_traced_has_no_place_in_it(start: Any, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER)
    editor = await start()
    uri = editor.open("model.py", MODEL)
    assert await prepared(editor, uri, 0, 0) == []
    (net,) = await prepared(editor, uri, 14, 10)
    editor.replace(uri, MODEL.replace("class Net", "class Other"))
    # The item is of a text that is no more.
    params = types.CallHierarchyOutgoingCallsParams(net)
    assert not await editor.within(editor.client.call_hierarchy_outgoing_calls_async(params))
