"""Slices of lists that are assigned: the elements are known as far as they were, in the order that they come to have."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from checking import Checker

from ..programs import fill, load, model_exports

torch = pytest.importorskip("torch")

PROGRAM = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        {body}


model = Net()
example_args = (torch.randn(3, 4, 5),)
dynamic_shapes = {{"x": {{0: torch.export.Dim("batch", max=16)}}}}
"""
# What is done, and what is found.
ROWS = (
    ("s = list(x.shape); s[1:] = [1] * (len(s) - 1); return torch.arange(x.shape[0]).view(s) + x", set[str]()),
    ("s = list(x.shape); s[:2] = [s[0] * s[1]]; return x.view(s)", set[str]()),
    ("s = [1, 2, 3]; s[::2] = x.shape[:2]; return torch.zeros(s) + x.sum()", set[str]()),
    ("s = [x.sum(), x.mean(), 3]; s[:2] = []; return x if s[0] > 0 else -x", set[str]()),
    ("s = [1, 2]; s[len(s):] = [x.sum(), x.mean()]; return x if s[2] > 0 else -x", {"EDB101"}),
    ("s = [1, 2]; s[:1] = x.sum(), x.mean(); return x if s[1] > 0 else -x", {"EDB101"}),
    ("s = list(x.shape); s[0:1] = [3]; return x.view(s)", {"EDB305"}),
)


@pytest.mark.parametrize(("body", "codes"), ROWS, ids=[body for body, _ in ROWS])
def test_what_a_list_holds_then(
    body: str, codes: set[str], check_text: Checker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = fill(PROGRAM, body=body)
    assert {one.code for one in check_text(text).findings} == codes
    module = load(text, tmp_path, "slices")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for strict in (False, True):
        taken = model_exports(module.model, module.example_args, strict=strict, dynamic_shapes=module.dynamic_shapes)
        assert taken is (not codes)


def test_a_list_of_unknown_length_is_no_view_to_one_size(check_text: Checker) -> None:
    body = "s = list(unknown(x).shape); s[1:] = [1] * (len(s) - 1); return torch.arange(x.shape[0]).view(s)"
    text = fill(PROGRAM, body=body).replace("import torch\n", "import torch\nfrom elsewhere import unknown\n", 1)
    assert not check_text(text).findings
