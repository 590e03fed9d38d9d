from dataclasses import dataclass

import torch


@dataclass
class Mixture:
    logits: torch.Tensor

    def __post_init__(self):
        if not torch.isfinite(self.logits).all():
            raise ValueError("logits must be finite")


class DataclassChecked(torch.nn.Module):
    """A dataclass that checks the values of its tensors once it has them."""

    def forward(self, x):
        return Mixture(x * 2).logits


example_args = (torch.randn(2, 3),)
tags = {"python.control-flow", "python.data-structure"}
model = DataclassChecked()
