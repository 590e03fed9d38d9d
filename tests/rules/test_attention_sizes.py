"""Attention over tensors of data-dependent size: which of the sizes it asks for, beside what torch.export takes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from checking import Checker

from ..programs import fill, load, model_exports

torch = pytest.importorskip("torch")

PROGRAM = """\
import torch
from torch.nn.functional import scaled_dot_product_attention as attend


class Net(torch.nn.Module):
    def forward(self, x, m):
        n = m.sum().item()
        {body}


model = Net()
example_args = (torch.randn({sizes}), torch.tensor([True, False, True, True]))
"""
BATCH, STEPS = "4, 2, 8, 16", "2, 3, 4, 16"
# What is done, the sizes of the input, and whether export fails.
ROWS: list[tuple[str, str, bool]] = [
    # Neither the batch nor the heads.
    ("q = x[m]; return attend(q, q, q)", BATCH, False),
    ("q = x[m].view(-1, 8, 2, 16).transpose(1, 2); return attend(q, q, q)", BATCH, False),
    ("q = x[m]; q = q.view(q.shape[0], q.shape[2], 2, 16).transpose(1, 2); return attend(q, q, q)", BATCH, False),
    ("q = x[m]; return attend(q, q, q, attn_mask=torch.ones(q.shape[0], 1, 8, 8))", BATCH, False),
    ("q = x[m][:, 0].unsqueeze(0); return attend(q, q, q)", BATCH, False),
    ("q = x[m][None, :, 0]; return attend(q, q, q)", BATCH, False),
    # The steps of the queries, and those of the keys.
    ("k = x[:, :, m]; return attend(x, k, k)", STEPS, True),
    ("k = x[..., :n, :]; return attend(k, x, x)", STEPS, True),
    ("k = x[:, :, m.nonzero().squeeze(1)]; return attend(x, k, k)", STEPS, True),
    ("k = x.permute(2, 0, 1, 3)[m].permute(1, 2, 0, 3); return attend(x, k, k)", STEPS, True),
    ("k = x.transpose(1, 2)[:, :n].transpose(1, 2); return attend(x, k, k)", STEPS, True),
    ("k = x[:, :, m].mT.mT; return attend(x, k, k)", STEPS, True),
    ("k = torch.ones(2, 3, n, 16); return attend(x, k, k)", STEPS, True),
    ("k = torch.ones([2, n, 4, 16]); return attend(k, k, k)", STEPS, False),
    # Steps of which there is one at least.
    ("torch._check(n > 0); k = x[..., :n, :]; return attend(x, k, k)", STEPS, False),
    ("torch._check(n >= 0); torch._check(n <= 3); k = x[:, :, : n + 1]; return attend(x, k, k)", STEPS, False),
    ("torch._check(n != 0); k = x[..., :n, :]; return attend(x, k, k)", STEPS, True),
    # Where weights are dropped, and without heads, it is a product of matrices.
    ("k = x[:, :, m]; return attend(x, k, k, dropout_p=0.1)", STEPS, False),
    ("k = x[:, :, m]; return attend(x, k, k, None, 0.0)", STEPS, True),
    ("k = x[0][:, m]; return attend(x[0], k, k)", STEPS, False),
]


@pytest.mark.parametrize(("body", "sizes", "fails"), ROWS, ids=[body for body, _, _ in ROWS])
def test_what_attention_asks_for(
    body: str, sizes: str, fails: bool, check_text: Checker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = fill(PROGRAM, body=body, sizes=sizes)
    assert {one.code for one in check_text(text).findings} == ({"EDB208"} if fails else set())
    made = load(text, tmp_path, "attention")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    for strict in (False, True):
        assert model_exports(made.model, made.example_args, strict=strict) is not fails
