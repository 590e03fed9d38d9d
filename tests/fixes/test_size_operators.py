"""Operators that read a dynamic size: each program is fixed, and proven at other sizes, in both modes."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import proof
import pytest
from exportdb_lsp import confirm, worker
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.verification import VerifyRequest
from exportdb_lsp.interpreter import package_folders
from exportdb_rules.engine import Settings
from exportdb_rules.finding import Mode

from .. import proofs
from ..programs import fill

# What exports and compares a fixed program: its proof is made again where this has changed (proofs.py).
SOURCES = (
    Path(__file__),
    *sorted(Path(worker.__file__).parent.rglob("*.py")),
    *sorted(Path(str(confirm.__file__)).parent.glob("*.py")),
)
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
    return fill(PROGRAM, body=body)


def _repair(body: str) -> proof.Repair:
    return proof.repair(_text(body), settings=Settings(modes=BOTH, packages=package_folders(sys.executable)))


SYMBOLIC = {
    "windows": (
        """
        w = torch.hann_window(n)
        v = torch.hamming_window(n + 1, periodic=False)
        return x * w[:, None], v
        """,
        "torch.where(torch.tensor(n) == 1, 1.0, 0.5 - 0.5 * torch.cos(2 * torch.pi * torch.arange(n) / n))",
    ),
    "a window that is not periodic": (
        """
        w = torch.blackman_window(n, False)
        return x * w[:, None] + torch.hann_window(1)
        """,
        "/ (n - 1)) + 0.08 * torch.cos(2 * 2 * torch.pi",
    ),
    "steps between numbers": (
        """
        ys = torch.linspace(-1, 1, n)
        xs = torch.linspace(0.5, d - 0.5, d)
        return x * ys[:, None] + xs
        """,
        "ys = -1 + torch.arange(n) * (2 / torch.sym_max(n - 1, 1))\n",
    ),
    "steps by name": (
        """
        t = torch.linspace(0, 1, steps=x.size(1), device=x.device)
        return (x * t[:, None]).sum(1)
        """,
        "arange(x.size(1)",
    ),
    "steps in doubles": (
        "return x * torch.linspace(0.0, n, n, dtype=torch.float64).float()[:, None]",
        "dtype=torch.float64",
    ),
    "steps between sizes": (
        "return x + torch.linspace(0.5, x.shape[1] - 0.5, x.shape[-2])[None, :, None]",
        "x.shape[-2] - 1",
    ),
    "one-hot of an order": (
        """
        order = x[..., 0].argsort(-1)
        return F.one_hot(order, n).float() @ x
        """,
        "order.unsqueeze(-1), 1)",
    ),
    "one-hot of an expression": (
        "return F.one_hot(x[..., 0].argsort(-1), num_classes=n).float() @ x",
        "classes = x[..., 0].argsort(-1)",
    ),
    "one-hot of the largest": (
        """
        weights = torch.nn.functional.one_hot(x.argmax(1), n)
        return weights.float() @ x
        """,
        "classes",
    ),
    "a tensor of a size": ("return x.mean(1) * torch.as_tensor(n)", "torch.tensor(n)"),
    "a root of a size": (
        "return x / torch.as_tensor(n, dtype=torch.float32).sqrt()",
        "torch.tensor(n, dtype=torch.float32)",
    ),
    "a logarithm": ("return (x @ x.transpose(1, 2)) / math.log(n)", "/ torch.log(torch.tensor(n))"),
    "a logarithm of base two": ("return x * math.log2(x.shape[1])", "torch.log2(torch.tensor(x.shape[1]))"),
    "pairs above the diagonal": (
        """
        i, j = torch.triu_indices(n, n, 1)
        return (x[:, i] * x[:, j]).sum(1)
        """,
        ".triu(1).nonzero().T.contiguous()",
    ),
    "places below the diagonal": (
        """
        places = torch.tril_indices(n, n)
        return x[:, places[0]].sum(1) + x[:, places[1]].mean(1)
        """,
        ".tril()",
    ),
}


@pytest.mark.parametrize(("body", "code"), SYMBOLIC.values(), ids=SYMBOLIC)
def test_an_operator_of_a_size_keeps_it_symbolic(
    request: pytest.FixtureRequest, tmp_path: Path, body: str, code: str
) -> None:
    done = _repair(body)
    assert code.replace('"', "'") in ast.unparse(ast.parse(done.text))
    assert done.left == []

    def prove() -> None:
        confirmer: Confirmer = request.getfixturevalue("confirmer")
        name = str(tmp_path / "net.py")
        results = confirmer.verify(VerifyRequest(name, _text(body), done.text, modes=BOTH, root=tmp_path))
        assert len(results) == 2
        for result in results:
            assert (result.proven, result.narrowed) == (True, ()), result

    proofs.once(request, "size_operators", request.node.name, proofs.key(SOURCES, _text(body), done.text), prove)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return x * torch.linspace(0, 1, n, dtype=torch.float16)[:, None]", "a dtype in which counting is not exact"),
        ("return x * torch.linspace(0, x.max(), n)[:, None]", "no plain numbers, or such that cannot be written twice"),
        (
            "return x * torch.linspace(0, 1, len(x.tolist()) + n)[:, None]",
            "no plain numbers, or such that cannot be written twice",
        ),
        ("return x * (1 + math.log(n))", "the number is used as a Python number"),
        ("return x * math.log(n, 2)", "not a logarithm"),
        ("return x[:, torch.triu_indices(n, n, 1, dtype=torch.int32)[0]]", "unsupported arguments"),
    ],
)
def test_what_has_no_exact_form_stays(body: str, reason: str) -> None:
    done = _repair(body)
    assert body.splitlines()[-1] in done.text
    assert done.left != []
    assert reason in done.refused
