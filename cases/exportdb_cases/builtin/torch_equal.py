import torch


class TorchEqual(torch.nn.Module):
    """`torch.equal` gives a Python bool: it must read both tensors."""

    def forward(self, x, y):
        if torch.equal(x, y):
            return x
        return x - y


example_args = (torch.randn(3), torch.randn(3))
tags = {"python.builtin", "torch.dynamic-value"}
model = TorchEqual()
