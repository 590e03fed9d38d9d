"""State that looks like that which a fix moves into a buffer, and that no fix may touch."""

from __future__ import annotations

import proof
import pytest
import torch


@pytest.mark.parametrize(
    "body",
    [
        "y = x * self.kept; self.kept = self.kept * 0.5; return y",
        "y = self.kept.mul(x); self.kept = self.kept * 0.5; return y",
        "y = torch.mul(self.kept, x); self.kept = x.detach().mean(0); return y",
        "y = x + self.kept; self.kept = self.kept * 0.5; return y",
        "y = torch.cat([x, self.kept[None]]); self.kept = x[-1].detach(); return y",
        "self.kept = 0.9 * self.kept + 0.1 * x.detach().mean(0); return x * self.kept",
    ],
)
def test_the_backward_pass_has_what_the_forward_pass_read(body: str) -> None:
    text = f"""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = torch.ones(3)

    def forward(self, x: torch.Tensor):
        {body}

example_args = (torch.randn(2, 3),)
model = Net()
"""
    text = text.replace("; ", "\n        ")
    gradients: list[torch.Tensor] = []
    for version in (text, proof.repair(text).text):
        x = torch.linspace(-1, 1, 6).view(2, 3).requires_grad_()
        proof.model(version)(x).square().sum().backward()
        assert x.grad is not None
        gradients.append(x.grad)
    assert "register_buffer" in version
    assert torch.equal(*gradients)
