"""Which gradients non-strict export can put into a program, beside what check says of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.project import Project

from ..programs import fill, load

NET = """\
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(2, 4))
        self.layer = nn.Linear(4, 2)
        self.recurrent = nn.GRU(4, 3, batch_first=True)
        self.twice = nn.Sequential(nn.Linear(4, 4), nn.SiLU())

    def forward(self, x):
        x = x.detach().requires_grad_()
        energy = {energy}
        return {gradient}
"""
GRADIENT = "torch.autograd.grad(energy.sum(), x)[0]"
LOST = (
    "x.sqrt()", "(x * 2).exp()", "torch.tanh(x)", "x.softmax(-1)", "F.relu(x)", "2.0 / x", "x.norm(dim=-1)", "x.amax(-1)",
    "F.layer_norm(x, (4,))", "F.linear(x, self.weight)", "self.layer(x)", "self.twice(x)", "torch.cdist(x, x)",
    "self.layer(x.sin()) * 2 + 1", "torch.einsum('ij,kj->ik', x, self.weight)",
    "x**x", "F.prelu(x, self.weight[0, :1])", "F.cosine_similarity(x, x + 1)", "F.cross_entropy(x, torch.arange(3))", "x.median()",
    "F.avg_pool1d(x[None], 2)", "F.group_norm(x[None], 3)", "self.recurrent(x[None])[0]", "torch.linalg.svd(x)[1]", "torch.kron(x, x)",
)  # fmt: skip
KEPT = (
    "x.sin()", "x**2", "x * self.weight[:1]", "x @ self.weight.T", "F.silu(x)", "x.clamp(min=0)", "(x**2).sum(-1)",
    "torch.where(x > 0, x, 0.0)", "x / 2", "x * x.exp().detach()", "x.log()", "torch.cat([x, x * 2])",
)  # fmt: skip


def exports(text: str, folder: Path) -> bool:
    """Whether non-strict export makes a program of a model."""
    torch = pytest.importorskip("torch")
    net = load(text, folder, "net_of_gradients").Net().eval()
    inputs = (torch.rand(3, 4) + 0.5,)
    net(*inputs)
    try:
        torch.export.export(net, inputs, strict=False)
    except RuntimeError as error:
        if "fake tensor in the exported program" not in str(error):
            raise
        return False
    return True


GRADIENTS = (
    GRADIENT, "energy.sum(), torch.autograd.grad([energy.sum()], [x], create_graph=True)[0]",
    "torch.autograd.grad((energy,), (x,), (torch.ones_like(energy),))", "torch.autograd.grad(outputs=energy.sum(), inputs=x)",
)  # fmt: skip
PROGRAMS = (
    *((energy, GRADIENT, energy in KEPT) for energy in (*LOST, *KEPT)),
    *((energy, gradient, energy in KEPT) for gradient in GRADIENTS[1:] for energy in ("self.layer(x)", "x.sin()")),
)


@pytest.mark.parametrize(("energy", "gradient", "exported"), PROGRAMS)
def test_a_gradient_is_said_to_be_lost_where_it_is(energy: str, gradient: str, exported: bool, tmp_path: Path) -> None:
    text = fill(NET, energy=energy, gradient=gradient)
    project = Project()
    project.set_text("/net.py", text)
    findings = engine.check(project, "/net.py", engine.Settings(modes=tuple(Mode))).findings
    failing = [f.span.start.row for f in findings if f.verdict[Mode.NON_STRICT] is Verdict.FAILS]
    assert failing == ([] if exported else [text.count("\n")])
    assert exports(text, tmp_path) is exported
