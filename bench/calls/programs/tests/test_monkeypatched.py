import torch
from torch import nn
from torch.export import export


class Debuggable(nn.Module):
    debug = False

    def forward(self, x):
        y = x.exp()
        if self.debug and y.isnan().any():
            print("nan!")
        return y


def test_release():
    ep = export(Debuggable(), (torch.randn(3),))
    assert len(list(ep.graph.nodes)) >= 2


def test_debug(monkeypatch):
    monkeypatch.setattr(Debuggable, "debug", True)
    export(Debuggable(), (torch.randn(3),))
