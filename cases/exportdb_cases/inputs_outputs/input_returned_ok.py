import torch


class InputReturnedOk(torch.nn.Module):
    """An input as an output."""

    def forward(self, x):
        return x, x.sin()


example_args = (torch.randn(3),)
tags = {"python.object-model"}
model = InputReturnedOk()
