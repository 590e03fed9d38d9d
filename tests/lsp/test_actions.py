"""Code actions: what is offered, what it does to the text, and that nothing the client sends back is believed."""

from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

DATA = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        s = "😀"; y = x.data + 1
        z = x.data + 2
        return y + z
"""


# Two modules to choose from: torch.cond is all that there is, and whether its cost is worth it is for people to say.
CALLS = """\


class Branch(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(3, 3)
        self.two = nn.Linear(3, 3)

    def forward(self, x):
        if x.sum() > 0:
            return self.one(x)
        return self.two(x)
"""


def utf32(helpers: Any, *taken: str) -> Any:
    capabilities = helpers.without(*taken)
    capabilities["general"] = {"positionEncodings": ["utf-32"]}
    return capabilities


def titles(actions: list[types.CodeAction]) -> list[str]:
    return [action.title for action in actions]


async def test_a_fix_is_offered_resolved_and_rewrites_the_branch(start: Any, helpers: Any) -> None:
    editor = await start(utf32(helpers))
    uri = editor.open("net.py", helpers.BRANCH)
    actions = await editor.actions(uri, 6, 12)
    preferred = [action for action in actions if action.is_preferred]
    assert len(preferred) == 1
    assert preferred[0] is actions[0]
    assert preferred[0].kind == types.CodeActionKind.QuickFix
    assert preferred[0].edit is None
    assert [d.code for d in preferred[0].diagnostics or []] == ["EDB101"]
    whole = next(action for action in actions if "torch.cond" in action.title)
    resolved = await editor.resolved(whole)
    (change,) = resolved.edit.document_changes or []
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document.version == 1
    after = helpers.edited(helpers.BRANCH, resolved.edit, uri)
    assert "torch.cond(" in after
    editor.replace(uri, after)
    assert await editor.codes(uri) == []


async def test_a_client_that_cannot_resolve_gets_the_edit_at_once(start: Any, helpers: Any) -> None:
    taken = (
        "textDocument.codeAction.resolveSupport",
        "workspace.workspaceEdit",
        "textDocument.codeAction.isPreferredSupport",
    )
    editor = await start(utf32(helpers, *taken))
    uri = editor.open("net.py", DATA)
    action = (await editor.actions(uri, 6))[0]
    assert action.is_preferred is None
    assert action.edit is not None
    assert action.edit.document_changes is None
    assert helpers.edited(DATA, action.edit, uri) == DATA.replace("x.data + 1", "x.detach() + 1")


async def test_a_client_without_action_literals_gets_none(start: Any, helpers: Any) -> None:
    editor = await start(helpers.without("textDocument.codeAction.codeActionLiteralSupport"))
    uri = editor.open("net.py", DATA)
    assert await editor.actions(uri, 6) == []


async def test_a_word_of_the_line_will_do_and_what_it_touches_comes_first(start: Any, helpers: Any) -> None:
    editor = await start(utf32(helpers))
    text = DATA.replace("z = x.data + 2", "z = x.data if x.sum() > 0 else x")
    uri = editor.open("net.py", text)
    codes = {d.code for a in await editor.actions(uri, 7, 0, "quickfix") for d in a.diagnostics}
    assert codes == {"EDB101", "EDB201"}
    line = text.splitlines()[7]
    for word, first in (("sum", "EDB101"), ("data", "EDB201")):
        column = line.index(word)
        span = types.Range(types.Position(7, column), types.Position(7, column + len(word)))
        context = types.CodeActionContext([], only=["quickfix"])
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), span, context)
        found = await editor.within(editor.client.text_document_code_action_async(params))
        assert [d.code for d in found[0].diagnostics] == [first], word


async def test_ranges_that_the_client_sends_back_are_not_believed(start: Any, helpers: Any) -> None:
    editor = await start(utf32(helpers))
    uri = editor.open("net.py", DATA)
    wrong = types.Diagnostic(types.Range(types.Position(0, 1), types.Position(3, 99)), "?", code="EDB201")
    actions = await editor.actions(uri, 6, 30, diagnostics=[wrong])
    resolved = await editor.resolved(actions[0])
    assert helpers.edited(DATA, resolved.edit, uri) == DATA.replace("x.data + 1", "x.detach() + 1")


async def test_an_edit_behind_an_emoji_is_in_the_units_of_the_client(start: Any, helpers: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", DATA)
    resolved = await editor.resolved((await editor.actions(uri, 6))[0])
    (change,) = resolved.edit.document_changes
    (edit,) = change.edits
    # The emoji is two units of UTF-16: in code points the first column would be one less.
    assert edit.range.start.line == 6
    assert (
        DATA.splitlines()[6]
        .encode("utf-16-le")[2 * edit.range.start.character :]
        .decode("utf-16-le")
        .startswith(("x.data", "data", ".data"))
    )


async def test_an_action_for_an_older_text_is_refused(start: Any, helpers: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", DATA)
    action = (await editor.actions(uri, 6))[0]
    editor.replace(uri, "\n" + DATA)
    with pytest.raises(JsonRpcException) as refused:
        await editor.resolved(action)
    assert refused.value.code == -32801


async def test_an_action_that_was_never_offered_is_refused(start: Any, helpers: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", DATA)
    action = (await editor.actions(uri, 6))[0]
    action.data = {"uri": uri, "version": 1, "key": ["fix", "EDB101", "rm -rf"], "at": [7, 9]}
    with pytest.raises(JsonRpcException) as refused:
        await editor.resolved(action)
    assert refused.value.code == -32602


async def test_fix_all_applies_the_safe_fixes_and_only_those(start: Any, helpers: Any) -> None:
    editor = await start(utf32(helpers))
    text = DATA + CALLS
    uri = editor.open("net.py", text)
    (action,) = await editor.actions(uri, 0, 0, "source.fixAll")
    assert action.kind == "source.fixAll.exportdb"
    resolved = await editor.resolved(action)
    assert helpers.edited(text, resolved.edit, uri) == text.replace("x.data", "x.detach()")
    # The document itself was not touched.
    assert [code for code, _ in await editor.codes(uri)] == ["EDB101", "EDB201", "EDB201"]


async def test_kinds_that_are_not_asked_for_are_not_given(start: Any, helpers: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", helpers.BRANCH)
    assert await editor.actions(uri, 6, 12, "source.organizeImports") == []
    rewrites = await editor.actions(uri, 6, 12, "refactor")
    assert {action.kind for action in rewrites} == {"refactor.rewrite.exportdb"}
    resolved = await editor.resolved(rewrites[0])
    assert resolved.edit is not None
    assert not any("fixAll" in str(action.kind) for action in await editor.actions(uri, 6, 12))


async def test_a_finding_can_be_silenced_on_its_line(start: Any, helpers: Any) -> None:
    editor = await start(utf32(helpers))
    uri = editor.open("net.py", helpers.BRANCH)
    action = next(a for a in await editor.actions(uri, 6) if a.title == "Ignore EDB101 on this line")
    after = helpers.edited(helpers.BRANCH, (await editor.resolved(action)).edit, uri)
    assert after == helpers.BRANCH.replace("> 0:", "> 0:  # exportdb: ignore[EDB101]")
    editor.replace(uri, after)
    assert await editor.codes(uri) == []


async def test_a_rule_can_be_silenced_in_the_file(start: Any, helpers: Any) -> None:
    editor = await start(utf32(helpers))
    text = "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n" + helpers.BRANCH
    uri = editor.open("net.py", text)
    action = next(a for a in await editor.actions(uri, 8) if a.title == "Ignore EDB101 in this file")
    after = helpers.edited(text, (await editor.resolved(action)).edit, uri)
    assert after.splitlines()[:3] == [*text.splitlines()[:2], "# exportdb: ignore-file[EDB101]"]
    editor.replace(uri, after)
    assert await editor.codes(uri) == []


@pytest.mark.parametrize(
    ("line", "silenced"),
    [
        ("        y = x.data  # exportdb: ignore[EDB999]", "        y = x.data  # exportdb: ignore[EDB999, EDB201]"),
        ("        y = x.data  # why", "        y = x.data  # why  # exportdb: ignore[EDB201]"),
        ("        y = x.data + \\\n            1", "        y = x.data + \\\n            1"),
        ('        y = x.data, """\n"""', '        y = x.data, """\n"""'),
    ],
)
async def test_a_comment_is_written_where_a_comment_can_be(start: Any, helpers: Any, line: str, silenced: str) -> None:
    editor = await start(utf32(helpers))
    head = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
    text = f"{head}{line}\n        return y\n"
    uri = editor.open("net.py", text)
    offered = [a for a in await editor.actions(uri, 6) if a.title == "Ignore EDB201 on this line"]
    if silenced == line:
        assert offered == []
    else:
        after = helpers.edited(text, (await editor.resolved(offered[0])).edit, uri)
        assert after == f"{head}{silenced}\n        return y\n"
