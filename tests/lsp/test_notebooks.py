"""Notebooks: the cells are one module, findings and fixes land in their cells."""

from typing import Any

import pytest
from exportdb_lsp.files.notebook import as_python
from lsprotocol import types

BOOK = "notebook.ipynb"
FIRST = "%matplotlib inline\nimport torch\nfrom torch import nn\n!pip list"
SECOND = "def flag(x):\n    return x.sum() > 0"
THIRD = "class Net(nn.Module):\n    def forward(self, x):\n        if flag(x):\n            return x + 1\n        return x.data"
MAGIC = "%%bash\nif x.sum() > 0; then"


def uri(editor: Any, number: int) -> str:
    return f"vscode-notebook-cell:{editor.root}/{BOOK}#c{number}"


def open_book(editor: Any, *texts: str) -> None:
    cells = [types.NotebookCell(types.NotebookCellKind.Code, uri(editor, i)) for i in range(len(texts))]
    cells.insert(1, types.NotebookCell(types.NotebookCellKind.Markup, "x:markdown"))
    book = types.NotebookDocument(editor.uri(BOOK), "jupyter-notebook", 1, cells)
    items = [types.TextDocumentItem(uri(editor, i), "python", 1, text) for i, text in enumerate(texts)]
    editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(book, items))


async def test_cells_see_each_other_and_a_finding_lands_in_its_cell(start: Any) -> None:
    editor = await start()
    open_book(editor, FIRST, SECOND, MAGIC, THIRD)
    assert [await editor.codes(uri(editor, i)) for i in range(3)] == [[], [], []]
    assert await editor.codes(uri(editor, 3)) == [("EDB101", 2), ("EDB201", 4)]


async def test_a_fix_edits_its_cell_and_names_its_version(start: Any, helpers: Any) -> None:
    editor = await start()
    open_book(editor, FIRST, SECOND, THIRD)
    cell = uri(editor, 2)
    action = (await editor.actions(cell, 4, 17))[0]
    (change,) = (await editor.resolved(action)).edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == (cell, 1)
    assert helpers.edited(THIRD, (await editor.resolved(action)).edit, cell) == THIRD.replace("x.data", "x.detach()")


async def test_cells_that_change_move_or_go(start: Any) -> None:
    editor = await start()
    open_book(editor, FIRST, SECOND, THIRD)
    book = types.VersionedNotebookDocumentIdentifier(version=2, uri=editor.uri(BOOK))

    def tell(change: types.NotebookDocumentCellChanges) -> None:
        params = types.DidChangeNotebookDocumentParams(book, types.NotebookDocumentChangeEvent(cells=change))
        editor.client.notebook_document_did_change(params)

    text = types.NotebookDocumentCellContentChanges(
        types.VersionedTextDocumentIdentifier(2, uri(editor, 1)),
        [types.TextDocumentContentChangeWholeDocument("def flag(x):\n    return x.shape[0] > 0")],
    )
    tell(types.NotebookDocumentCellChanges(text_content=[text]))
    assert await editor.codes(uri(editor, 2)) == [("EDB201", 4)]
    new = types.NotebookCell(types.NotebookCellKind.Code, uri(editor, 9))
    structure = types.NotebookDocumentCellChangeStructure(
        types.NotebookCellArrayChange(2, 1, [new]),
        did_open=[types.TextDocumentItem(uri(editor, 9), "python", 1, "def flag(x):\n    return x.min() > 0")],
        did_close=[types.TextDocumentIdentifier(uri(editor, 1))],
    )
    tell(types.NotebookDocumentCellChanges(structure=structure))
    assert await editor.codes(uri(editor, 2)) == [("EDB101", 2), ("EDB201", 4)]
    assert await editor.codes(uri(editor, 1)) == []


async def test_cells_are_pushed_to_who_does_not_pull(start: Any, helpers: Any) -> None:
    editor = await start(helpers.without("textDocument.diagnostic"))
    open_book(editor, FIRST, SECOND, THIRD)
    pushed = await editor.until_pushed(uri(editor, 2), lambda p: p.diagnostics)
    assert helpers.marks(pushed.diagnostics) == [("EDB101", 2), ("EDB201", 4)]
    ids = [types.TextDocumentIdentifier(uri(editor, i)) for i in range(3)]
    book = types.NotebookDocumentIdentifier(editor.uri(BOOK))
    editor.client.notebook_document_did_close(types.DidCloseNotebookDocumentParams(book, ids))
    await editor.until_pushed(uri(editor, 2), lambda p: not p.diagnostics)


async def test_the_cells_of_a_closed_notebook_are_unmarked_in_the_whole_workspace(start: Any) -> None:
    """A client asks once more for each cell while it closes them, and believes only what it hears of the workspace."""
    editor = await start()
    open_book(editor, FIRST, SECOND, THIRD)
    cell = uri(editor, 2)
    assert len(await editor.codes(cell)) == 2

    async def told() -> list[int]:
        report = await editor.pull_workspace()
        return [len(item.items) for item in report.items if item.uri == cell]

    assert await told() == [2]
    ids = [types.TextDocumentIdentifier(uri(editor, i)) for i in range(3)]
    book = types.NotebookDocumentIdentifier(editor.uri(BOOK))
    editor.client.notebook_document_did_close(types.DidCloseNotebookDocumentParams(book, ids))
    assert await editor.codes(cell) == []
    assert await told() == [0]
    assert await told() == [0]
    open_book(editor, FIRST, SECOND, THIRD)
    assert await told() == [2]


@pytest.mark.parametrize(
    "cell",
    [
        "label = ('%d rows'\n         % rows)",
        "if (a\n        != b):\n    pass",
        'text = """\n%d rows\n!important\nwhat?\n"""',
        "rest = a \\\n    % b",
        "x = {\n    1: a\n    % b,\n}",
    ],
)
def test_what_is_python_stays_python(cell: str) -> None:
    assert as_python(cell) == cell


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("%time f(x)\nf(x)", "pass      \nf(x)"),
        ("if (a\n        != b):\n    %time f()", "if (a\n        != b):\n    pass     "),
        ("files = !ls\nf?", "pass       \npass"),
        ("!echo 'a string that does not end\n%time f()", "pass                             \npass     "),
        ("%%time\nx = 1", "pass  \nx = 1"),
        ("%%bash\nls", "      \n  "),
    ],
)
def test_what_only_ipython_understands_is_taken_out(cell: str, python: str) -> None:
    assert as_python(cell) == python


READS = """\
class {name}(nn.Module):
    def forward(self, x: torch.Tensor):
        y = x.data + 1
        %time y
        return x.data + y"""


async def test_all_fixes_at_once_reach_every_cell_and_no_magic(start: Any, helpers: Any) -> None:
    editor = await start()
    one, two = READS.format(name="One"), READS.format(name="Two")
    open_book(editor, FIRST, one, SECOND, two)
    (action,) = await editor.actions(uri(editor, 1), 0, 0, "source.fixAll")
    edit = (await editor.resolved(action)).edit
    assert len(edit.document_changes) == 2
    for number, text in ((1, one), (3, two)):
        assert helpers.edited(text, edit, uri(editor, number)) == text.replace("x.data", "x.detach()")


async def test_a_fix_that_would_take_a_magic_along_is_not_offered(start: Any) -> None:
    editor = await start()
    text = THIRD.replace("            return x + 1", "            %time x\n            return x + 1")
    open_book(editor, FIRST, SECOND, text)
    titles = [action.title for action in await editor.actions(uri(editor, 2), 2, 12)]
    assert titles == ["Ignore EDB101 on this line", "Ignore EDB101 in this notebook"]


async def test_nothing_is_put_above_the_magic_of_a_cell(start: Any) -> None:
    editor = await start()
    open_book(editor, "%%time\nimport torch\nfrom torch import nn", SECOND, THIRD)
    titles = [action.title for action in await editor.actions(uri(editor, 2), 2, 12, "quickfix")]
    assert "Ignore EDB101 on this line" in titles
    assert "Ignore EDB101 in this notebook" not in titles
