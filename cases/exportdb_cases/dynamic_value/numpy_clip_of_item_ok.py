import torch


class NumpyClipOfItemOk(torch.nn.Module):
    """The tensor is clipped, before its number is read."""

    def forward(self, x, n):
        return x * n.clamp(0, 3).item()


example_args = (torch.randn(4, 4), torch.tensor(2))
tags = {"torch.dynamic-value"}
model = NumpyClipOfItemOk()
