import torch


class AssertCloseOk(torch.nn.Module):
    """The comparison is asserted in the graph."""

    def forward(self, x):
        y = x.sin()
        torch._assert_async(torch.isclose(y, x.sin()).all())
        return y


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = AssertCloseOk()
