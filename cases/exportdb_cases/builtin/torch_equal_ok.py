import torch


class TorchEqualOk(torch.nn.Module):
    """`(x == y).all()` is a tensor."""

    def forward(self, x, y):
        return torch.where((x == y).all(), x, x - y)


example_args = (torch.randn(3), torch.randn(3))
tags = {"python.builtin", "torch.dynamic-value"}
model = TorchEqualOk()
