"""The table of operators says what torch's operators do: a tenth of it is measured again each day."""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
import torch
from exportdb_rules import operator_table
from exportdb_rules.operator_table import Operator, operator

from .. import proofs

SCRIPT = Path(__file__).parents[2] / "rules" / "scripts" / "operator_table.py"
DOCUMENT: dict[str, Any] = json.loads(Path(operator_table.__file__).with_suffix(".json").read_text("utf-8"))


def test_the_table_is_of_the_torch_that_the_tests_run_on() -> None:
    assert DOCUMENT["torch"] == torch.__version__.partition("+")[0]


def test_the_operators_still_do_what_the_table_says() -> None:
    today = proofs.today() % 10
    # In a process of its own: the database looks at the whole stack for each sample, and that of a test is deep.
    command = [sys.executable, str(SCRIPT), "--tenth", str(today)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = {name: row for name, row in DOCUMENT["operators"].items() if zlib.crc32(name.encode()) % 10 == today}
    assert rows
    assert json.loads(done.stdout) == rows


def test_a_row_of_the_overlay_says_something_else() -> None:
    rows = {name: Operator(**DOCUMENT["operators"].get(name, {})) for name in operator_table._CHANGED}
    same = [
        (name, column)
        for name, row in rows.items()
        for column, value in operator_table._CHANGED[name].items()
        if getattr(row, column) == value
    ]
    assert same == []


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("eq", Operator("bool", "broadcast", fresh=True, contiguous=True, vmap=True)),
        ("cumsum", Operator("summed", "same", fresh=True, contiguous=True, vmap=True)),
        ("softmax", Operator("float", "same", fresh=True, contiguous=True, vmap=True)),
        ("sigmoid", Operator("float", "same", fresh=True, contiguous=True, vmap=True, each=True)),
        ("mse_loss", Operator("promoted", "scalar", fresh=True, contiguous=True, vmap=True)),
        ("half", Operator(shape="same")),
        ("nonzero", Operator("int64", fresh=True)),
        ("no_such_operator", Operator()),
    ],
)
def test_what_an_operator_gives(name: str, row: Operator) -> None:
    assert operator(name) == row
