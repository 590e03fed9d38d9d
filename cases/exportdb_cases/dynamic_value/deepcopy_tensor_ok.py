import torch


class DeepcopyTensorOk(torch.nn.Module):
    """`.clone()` copies in the graph."""

    def forward(self, x):
        y = x.clone()
        return y.sin()


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = DeepcopyTensorOk()
