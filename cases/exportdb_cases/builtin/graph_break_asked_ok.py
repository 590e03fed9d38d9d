import torch


class GraphBreakAskedOk(torch.nn.Module):
    """The same without the break."""

    def forward(self, x):
        y = x.sin()
        return y + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.escape-hatch"}
model = GraphBreakAskedOk()
