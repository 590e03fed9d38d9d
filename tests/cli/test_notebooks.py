"""Notebooks on the command line: cells as one module, places in their cells, and fixes that change their sources alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from exportdb_lsp.files.notebook import parse_notebook
from exportdb_lsp.files.rewriting import FileError

from .conftest import Program

NET = """class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x"""
CELLS = [
    ("markdown", "# if x.sum() > 0"),
    ("code", "%matplotlib inline\nimport torch\n!pip install x"),
    ("code", NET),
    ("code", "%%bash\nif true; then ls; fi"),
    ("code", "%%time\ny = 'ä'\n\n"),
    (
        "code",
        NET.replace("Net", "Other").replace(
            ":\n            return x\n", ":  # exportdb: ignore[EDB101]\n            return x\n"
        ),
    ),
    ("code", "class Last(Net):\n    def forward(self, x):\n        return x.numpy()\n"),
]


def book(cells: list[tuple[str, str]] = CELLS, *, lines: bool = True, language: str = "python", **style: Any) -> str:
    """The text of a notebook, as some program writes it."""
    content: dict[str, Any] = {
        "cells": [
            {
                "cell_type": kind,
                "metadata": {"tags": ["source"]},
                **({"execution_count": None, "outputs": [{"source": "[1]"}]} if kind == "code" else {}),
                "source": text.splitlines(keepends=True) if lines else text,
            }
            for kind, text in cells
        ],
        "metadata": {"kernelspec": {"language": language}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, **style) + "\n"


STYLES = [
    {"indent": 1, "ensure_ascii": False},
    {"indent": 1},
    {"indent": 1, "lines": False},
    {"indent": 4, "separators": (",", ":")},
    {},
]


def test_findings_stand_in_their_cells(run: Program) -> None:
    run.write("net.ipynb", book(indent=1))
    done = run("check", "net.ipynb")
    assert done.status == 1
    assert [line.split(": EDB")[0] for line in done.out.splitlines() if "EDB" in line] == [
        "net.ipynb:cell 3:3:12",
        "net.ipynb:cell 7:3:16",
    ]
    assert "3 |         if x.sum() > 0:" in done.out


def test_a_folder_s_notebooks_are_checked_too(run: Program) -> None:
    run.write("a/net.ipynb", book(indent=1))
    run.write("a/.ipynb_checkpoints/net.ipynb", book(indent=1))
    assert {item["filename"].rpartition("a/")[2] for item in run("check", "--output-format", "json", "a").json} == {
        "net.ipynb"
    }


def test_json_tells_the_cell_and_places_in_it(run: Program) -> None:
    run.write("net.ipynb", book(indent=1))
    run.write("net.py", "import torch\n" + NET)
    notebook = run("check", "--output-format", "json", "net.ipynb").json[0]
    (module,) = run("check", "--output-format", "json", "net.py").json
    assert notebook["cell"] == 3
    assert "cell" not in module
    assert notebook["location"] == {"row": 3, "column": 12}
    assert notebook["fix"]["edits"][0]["location"]["row"] == 3


@pytest.mark.parametrize("form", ["github", "gitlab", "sarif"])
def test_hosts_of_code_are_told_the_cell(run: Program, form: str) -> None:
    run.write("net.ipynb", book(indent=1))
    out = run("check", "--output-format", form, "net.ipynb").out
    assert "cell 3" in out
    assert "cell 7" in out


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_a_fix_changes_the_source_of_its_cell_alone(run: Program, style: dict[str, Any]) -> None:
    before = book(**style)
    path = run.write("net.ipynb", before)
    assert run("check", "--fix", "--unsafe-fixes", "--select", "EDB101", "net.ipynb").status == 0
    after = path.read_text("utf-8")
    fixed = [*CELLS]
    fixed[2] = ("code", NET[: NET.index("if")] + "return torch.where(x.sum() > 0, x, -x)")
    assert after == book(fixed, **style)


def test_a_diff_shows_the_cell(run: Program) -> None:
    path = run.write("net.ipynb", book(indent=1))
    before = path.read_bytes()
    out = run("check", "--diff", "--unsafe-fixes", "--select", "EDB101", "net.ipynb").out
    assert out.startswith("--- net.ipynb:cell 3\n+++ net.ipynb:cell 3\n")
    assert path.read_bytes() == before


def test_standard_input_may_be_a_notebook(run: Program) -> None:
    done = run("check", "-", "--stdin-filename", "net.ipynb", stdin=book(indent=1))
    assert "net.ipynb:cell 3:3:12: EDB101" in done.out
    done = run("check", "-", "--fix", "--unsafe-fixes", "--stdin-filename", "net.ipynb", stdin=book(indent=1))
    assert "torch.where" in json.loads(done.out)["cells"][2]["source"][-1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nope", "invalid JSON"),
        pytest.param("9" * 5_000, "invalid JSON", id="digits"),
        ("[]", "not a JSON object"),
        ("{}", "no nbformat"),
        ('{"nbformat": 3, "worksheets": []}', "format 3"),
        ('{"nbformat": 4}', "format 4"),
    ],
)
def test_what_is_no_notebook_is_named(run: Program, text: str, said: str) -> None:
    run.write("net.ipynb", text)
    done = run("check", "net.ipynb")
    assert done.status == 2
    assert "net.ipynb" in done.err
    assert said in done.err


def test_cells_of_another_language_are_none_of_ours(run: Program) -> None:
    run.write("net.ipynb", book(indent=1, language="R"))
    assert run("check", "net.ipynb").status == 0


def test_what_is_wrong_in_a_cell_is_told_in_it(run: Program) -> None:
    run.write("net.ipynb", book([("code", "x = 1"), ("code", "x = 1\ny = = 2")], indent=1))
    done = run("check", "net.ipynb")
    assert done.status == 2
    assert "net.ipynb:cell 2:2:" in done.err


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_an_unchanged_text_gives_the_very_file(style: dict[str, Any]) -> None:
    text = book(**style)
    notebook = parse_notebook(Path("net.ipynb"), text.encode())
    assert notebook.with_text(notebook.text) == text
    assert [notebook.place(row) for row in notebook.starts] == [(cell.number, 1) for cell in notebook.cells]


def test_a_line_of_ipython_s_is_not_moved() -> None:
    notebook = parse_notebook(Path("net.ipynb"), book(indent=1).encode())
    for line in notebook.text.splitlines():
        if "# magic" in line or line.startswith("# %% cell"):
            with pytest.raises(FileError, match="not fixed"):
                notebook.with_text(notebook.text.replace(line + "\n", "", 1))
