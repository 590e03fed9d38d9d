from dataclasses import dataclass

import torch


@dataclass
class Output:
    logits: torch.Tensor


class DataclassOutput(torch.nn.Module):
    """A dataclass as an output is unknown to pytree until it is registered."""

    def forward(self, x):
        return Output(x.softmax(-1))


example_args = (torch.randn(3),)
tags = {"python.data-structure", "python.object-model"}
model = DataclassOutput()
