import torch


class DataReadOk(torch.nn.Module):
    """`.detach()` reads the same numbers and is an operator of the graph."""

    def forward(self, x):
        return x.detach() * 2 + x


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = DataReadOk()
