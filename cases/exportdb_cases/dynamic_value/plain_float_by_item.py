import torch


class PlainFloatByItem(torch.nn.Module):
    """The value of a pad must be a plain float: no symbol will do, not even one from `.item()`."""

    def forward(self, x):
        return torch.nn.functional.pad(x, (1, 1), value=x.min().item())


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = PlainFloatByItem()
