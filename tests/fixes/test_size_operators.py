"""Operators that read a dynamic size: each program is fixed, and proven at other sizes, in both modes."""

from __future__ import annotations

import sys
from pathlib import Path

import proof
import pytest
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.verification import VerifyRequest
from exportdb_lsp.interpreter import package_folders
from exportdb_rules.engine import Settings
from exportdb_rules.finding import Mode

BOTH = (Mode.NON_STRICT, Mode.STRICT)

PROGRAM = """\
import math

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        b, n, d = x.shape
{body}


model = Net()
example_args = (torch.randn(2, 7, 4),)
dynamic_shapes = ({{0: torch.export.Dim("b"), 1: torch.export.Dim("n")}},)
"""


def _text(body: str) -> str:
    return PROGRAM.format(body="\n".join(f"        {line}" for line in body.splitlines()))


def _repair(body: str) -> proof.Repair:
    return proof.repair(_text(body), settings=Settings(modes=BOTH, packages=package_folders(sys.executable)))


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (
            "w = torch.hann_window(n)\nv = torch.hamming_window(n + 1, periodic=False)\nreturn x * w[:, None], v",
            "torch.where(torch.tensor(n) == 1, 1.0, 0.5 - 0.5 * torch.cos(2 * torch.pi * torch.arange(n) / n))",
        ),
        (
            "w = torch.blackman_window(n, False)\nreturn x * w[:, None] + torch.hann_window(1)",
            "/ (n - 1)) + 0.08 * torch.cos(2 * 2 * torch.pi",
        ),
        (
            "ys = torch.linspace(-1, 1, n)\nxs = torch.linspace(0.5, d - 0.5, d)\nreturn x * ys[:, None] + xs",
            "(-1 + torch.arange(n) * (2 / torch.sym_max(n - 1, 1)))",
        ),
        (
            "t = torch.linspace(0, 1, steps=x.size(1), device=x.device)\nreturn (x * t[:, None]).sum(1)",
            "arange(x.size(1)",
        ),
        ("return x * torch.linspace(0.0, n, n, dtype=torch.float64).float()[:, None]", "dtype=torch.float64"),
        ("return x + torch.linspace(0.5, x.shape[1] - 0.5, x.shape[-2])[None, :, None]", "x.shape[-2] - 1"),
        ("order = x[..., 0].argsort(-1)\nreturn F.one_hot(order, n).float() @ x", "order.unsqueeze(-1), 1)"),
        ("return F.one_hot(x[..., 0].argsort(-1), num_classes=n).float() @ x", "classes = x[..., 0].argsort(-1)"),
        ("weights = torch.nn.functional.one_hot(x.argmax(1), n)\nreturn weights.float() @ x", "classes"),
        ("return x.mean(1) * torch.as_tensor(n)", "torch.tensor(n)"),
        ("return x / torch.as_tensor(n, dtype=torch.float32).sqrt()", "torch.tensor(n, dtype=torch.float32)"),
        ("return (x @ x.transpose(1, 2)) / math.log(n)", "/ torch.log(torch.tensor(n))"),
        ("return x * math.log2(x.shape[1])", "torch.log2(torch.tensor(x.shape[1]))"),
        ("i, j = torch.triu_indices(n, n, 1)\nreturn (x[:, i] * x[:, j]).sum(1)", ".triu(1).nonzero().T.contiguous()"),
        ("places = torch.tril_indices(n, n)\nreturn x[:, places[0]].sum(1) + x[:, places[1]].mean(1)", ".tril()"),
        (
            "return torch.einsum('bid,bjd,bje->bie', x, x, x)",
            'torch.einsum("bij,bje->bie", torch.einsum("bid,bjd->bij", x, x), x)',
        ),
        ("w = x.softmax(1)\nreturn torch.einsum('bnd,bnd,bn->bd', x, w, x[..., 0])", '"bnd,bn->bd"'),
        ("return torch.einsum('bnd,bmd,bm,bme->bne', x, x, x.sum(2), x)", '"bnm,bme->bne"'),
    ],
)
def test_an_operator_of_a_size_keeps_it_symbolic(confirmer: Confirmer, tmp_path: Path, body: str, code: str) -> None:
    done = _repair(body)
    assert code in done.text
    assert done.left == []
    name = str(tmp_path / "net.py")
    results = confirmer.verify(VerifyRequest(name, _text(body), done.text, modes=BOTH, root=tmp_path))
    assert len(results) == 2
    for result in results:
        assert (result.proven, result.narrowed) == (True, ()), result


@pytest.mark.parametrize(
    "body",
    [
        "return x * torch.linspace(0, 1, n, dtype=torch.float16)[:, None]",
        "return x * torch.linspace(0, x.max(), n)[:, None]",
        "return x * torch.linspace(0, 1, len(x.tolist()) + n)[:, None]",
        "return torch.einsum('...d,...d,...d->...', x, x, x)",
        "return torch.einsum('bnd,bnd,bnd', x, x, x)",
        "return x * (1 + math.log(n))",
        "return x * math.log(n, 2)",
        "return x[:, torch.triu_indices(n, n, 1, dtype=torch.int32)[0]]",
    ],
)
def test_what_has_no_exact_form_stays(body: str) -> None:
    done = _repair(body)
    assert body.splitlines()[-1] in done.text
    assert done.left != []
