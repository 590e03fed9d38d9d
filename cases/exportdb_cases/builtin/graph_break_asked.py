import torch


class GraphBreakAsked(torch.nn.Module):
    """`torch._dynamo.graph_break()` was left in forward: strict export has one graph."""

    def forward(self, x):
        y = x.sin()
        torch._dynamo.graph_break()
        return y + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.escape-hatch"}
model = GraphBreakAsked()
