"""Derivatives and maps of functions in `forward`: what check says, beside what each mode of export makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from exportdb_lsp import worker
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_rules import engine
from exportdb_rules.finding import Mode
from exportdb_rules.project import Project

from .. import proofs
from ..programs import fill

NET = """\
import torch
from torch import nn
from torch.nn import functional as F

sine = torch.func.grad(lambda p: p.sin().sum())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.scale = nn.Parameter(torch.ones(3))
        self.slopes = torch.vmap(torch.func.grad(lambda p: p.sin().sum()))

    def energy(self, p):
        return (p * self.scale).sin().sum()

    def forward(self, x, w):
        {body}


model = Net()
example_args = (torch.ones(4, 3), torch.ones(3, 3))
"""
ROW = 19
BOTH = {*Mode}
NONE: set[Mode] = set()
# The body, the modes in which export fails, and whether where it does not the program has a tensor without data.
ROWS = (
    ("return torch.func.grad(lambda p: p.sin().sum())(x)", NONE, True),
    ("return torch.func.grad_and_value(lambda p: p.sin().sum())(x)", NONE, True),
    ("return torch.func.vjp(torch.sin, x)[0]", NONE, True),
    ("return torch.func.jacrev(torch.sin)(x)", NONE, True),
    ("return sine(x)", NONE, True),
    ("return torch.func.grad(lambda p: (p @ w).sin().sum())(x)", NONE, True),
    ("return torch.func.grad(lambda p: F.linear(p, w).sin().sum())(x)", BOTH, False),
    ("return torch.func.grad(lambda p: torch.einsum('ij,jk->ik', p, w).sin().sum())(x)", BOTH, False),
    ("return torch.func.grad(lambda p: self.layer(p).sin().sum())(x)", BOTH, False),
    ("return torch.func.grad(self.energy)(x)", {Mode.STRICT}, True),
    ("return torch.func.grad(lambda p: self.energy(p))(x)", {Mode.STRICT}, True),
    ("return torch.func.jvp(torch.sin, (x,), (x,))[1]", NONE, False),
    ("return torch.func.jvp(self.layer, (x,), (x,))[1]", {Mode.STRICT}, False),
    ("return self.layer(x) + torch.func.jvp(self.layer, (x,), (x,))[1]", NONE, False),
    ("return torch.func.jacfwd(torch.sin)(x)", BOTH, False),
    ("return torch.func.hessian(lambda p: p.sin().sum())(x)", BOTH, False),
    ("return self.slopes(x)", BOTH, False),
    ("return torch.vmap(lambda r: torch.func.jvp(torch.sin, (r,), (r,))[1])(x)", BOTH, False),
    ("return torch.func.linearize(torch.sin, x)[0]", BOTH, False),
    ("return torch.vmap(torch.dot, in_dims=(0, None))(x, w[0])", NONE, False),
    ("return torch.vmap(self.layer)(x)", {Mode.STRICT}, False),
    ("return self.layer(x) + torch.vmap(self.layer)(x)", NONE, False),
    ("return torch.func.jvp(lambda p: p.sin() if p.sum() > 0 else p, (x,), (x,))[1]", BOTH, False),
)


SOURCES = (Path(__file__), *sorted(Path(worker.__file__).parent.rglob("*.py")))


@pytest.mark.parametrize(("body", "fails", "empty"), ROWS)
def test_what_a_transform_leaves(
    request: pytest.FixtureRequest, body: str, fails: set[Mode], empty: bool, tmp_path: Path
) -> None:
    text = fill(NET, body=body)
    expected = {mode: "fails" if mode in fails else "diverges" if empty else "ok" for mode in Mode}

    def proof() -> None:
        # A failure leaves torch's stack of transforms as it was: each export has a process of its own.
        confirmer: Confirmer = request.getfixturevalue("confirmer")
        path = tmp_path / "net.py"
        path.write_text(text)
        results = confirmer.run(ExportRequest(str(path), root=tmp_path, draft=False, findings=False))
        assert {result.mode: result.outcome.value for result in results} == expected

    proofs.once(request, "transforms", request.node.name, proofs.key(SOURCES, text, str(expected)), proof)
    project = Project()
    project.set_text("/net.py", text)
    findings = engine.check(project, "/net.py", engine.Settings(modes=tuple(Mode))).findings
    said = {mode: {finding.verdict[mode].value for finding in findings} - {"ok"} for mode in Mode}
    assert said == {mode: {verdict} - {"ok"} for mode, verdict in expected.items()}
    assert {finding.span.start.row for finding in findings} <= {ROW}
