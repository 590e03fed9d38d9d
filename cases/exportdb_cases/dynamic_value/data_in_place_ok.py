import torch


class DataInPlaceOk(torch.nn.Module):
    """An in-place write through `.detach()` is in the graph."""

    def forward(self, x):
        y = x.clone()
        y.detach().mul_(3)
        return y + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = DataInPlaceOk()
