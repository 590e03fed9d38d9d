from dataclasses import dataclass

import torch


@dataclass
class Batch:
    x: torch.Tensor
    y: torch.Tensor


class DataclassInput(torch.nn.Module):
    """A dataclass as an input is unknown to pytree until it is registered."""

    def forward(self, batch):
        return batch.x + batch.y


example_args = (Batch(torch.randn(3), torch.randn(3)),)
tags = {"python.data-structure", "python.object-model"}
model = DataclassInput()
issues = ("https://github.com/pytorch/pytorch/issues/147400",)
