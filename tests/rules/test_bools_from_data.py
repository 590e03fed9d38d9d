"""What may be done with a bool that is read from a tensor, a `torch.SymBool` while tracing: what check says, beside real exports."""

from __future__ import annotations

from pathlib import Path

import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.project import Project

from ..programs import fill, load, model_exports

NET = """\
import torch


# exportdb: args=(torch.tensor([[1.0, 2.0], [3.0, 4.0]]),)
class Net(torch.nn.Module):
    def forward(self, x):
        flag = {read}
        other = (x > 1).any().item()
        {body}
"""
ITEM, BOOL = "x.any().item()", "bool(x.any())"
# As a number it serves in no mode.
REFUSED = (
    "flag + 1", "2 * flag", "flag / 2", "flag + flag", "flag + x.shape[0]", "flag != True", "flag > 0", "flag ^ other", "-flag", "~flag",
    "abs(flag)", "int(flag)", "sum([flag, other])", "max(flag, other)", "(x > 0) & flag", "(x > 0) == flag",
)  # fmt: skip
# These keep the symbol.
TAKEN = (
    "flag == True",
    "flag == 1",
    "flag != 0",
    "flag & other",
    "flag | True",
    "x * flag",
    "x + flag",
    "flag is None",
)


def exports(text: str, folder: Path, mode: Mode) -> bool:
    torch = pytest.importorskip("torch")
    net = load(text, folder, "net_of_bools_from_data").Net()
    return model_exports(net, (torch.tensor([[1.0, 2.0], [3.0, 4.0]]),), strict=mode is Mode.STRICT)


def failing(text: str, *rows: int) -> set[Mode]:
    """The modes with a finding in some of the rows."""
    project = Project()
    project.set_text("/net.py", text)
    findings = engine.check(project, "/net.py", engine.Settings(modes=tuple(Mode))).findings
    return {m for f in findings for m in Mode if f.span.start.row in rows and f.verdict[m] is Verdict.FAILS}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operation", REFUSED)
def test_a_bool_is_no_number(operation: str, tmp_path: Path) -> None:
    text = fill(NET, read=ITEM, body=f"return x, {operation}")
    assert not any(exports(text, tmp_path, mode) for mode in Mode)
    assert failing(text, 9) == {*Mode}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operation", TAKEN)
def test_what_keeps_the_symbol(operation: str, tmp_path: Path) -> None:
    text = fill(NET, read=ITEM, body=f"return x, {operation}")
    assert all(exports(text, tmp_path, mode) for mode in Mode)
    assert failing(text, 7, 8, 9) == set()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("read", "body", "rows"),
    [
        # What `bool` makes of a tensor is a symbol to strict export, which fails where its truth is asked.
        (BOOL, "if flag: return x; return x + 1", {Mode.NON_STRICT: 7, Mode.STRICT: 9}),
        (BOOL, "return x * (2 if flag else 3)", {Mode.NON_STRICT: 7, Mode.STRICT: 9}),
        (BOOL, "return x * flag", {Mode.NON_STRICT: 7}),
        (BOOL, "return x * int(flag)", {Mode.NON_STRICT: 7, Mode.STRICT: 9}),
        ("x.shape", "if bool(x.any()): return x; return x + 1", {Mode.NON_STRICT: 9, Mode.STRICT: 9}),
        ("x.shape", "return x if x.shape[0] > 1 and bool(x.any()) else x + 1", {Mode.NON_STRICT: 9, Mode.STRICT: 9}),
        ("x.shape", "return x * int(x.sum() > 2)", {Mode.NON_STRICT: 9, Mode.STRICT: 9}),
        ("x.shape", "return x * float(x.sum() > 2)", {Mode.NON_STRICT: 9}),
        ("bool(x.sum().item())", "return x * flag", {Mode.NON_STRICT: 7}),
        ("bool(x.sum().item())", "return x if flag else x + 1", {Mode.NON_STRICT: 7, Mode.STRICT: 9}),
        ("operator.truth(x.any())", "return x", {Mode.NON_STRICT: 7}),
        ("x.any().tolist()", "return x * flag", {Mode.STRICT: 7}),
        ("x.tolist()[0][1]", "return x if flag > 1 else x + 1", {Mode.NON_STRICT: 9, Mode.STRICT: 9}),
        ("x.long().tolist()[0][1]", "return x * flag", {}),
    ],
)  # fmt: skip
def test_where_it_fails(read: str, body: str, rows: dict[Mode, int], tmp_path: Path) -> None:
    text = fill(NET, read=read, body=body).replace("import torch\n", "import operator\n\nimport torch\n", 1)
    rows = {mode: row + 2 for mode, row in rows.items()}
    for mode in Mode:
        if read.startswith("operator") and mode is Mode.STRICT:
            continue
        assert exports(text, tmp_path, mode) is (mode not in rows)
        assert (mode in failing(text, rows.get(mode, 0))) is (mode in rows)
        if mode not in rows:
            assert mode not in failing(text, *range(12))
        if "if flag" in body and rows.get(mode) == 9:  # it does not come to the branch
            assert mode not in failing(text, 11)
