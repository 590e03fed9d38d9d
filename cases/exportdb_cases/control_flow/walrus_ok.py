import torch


class WalrusOk(torch.nn.Module):
    """A walrus in a condition on Python values."""

    def __init__(self):
        super().__init__()
        self.scales = {"a": 2.0}

    def forward(self, x):
        if (scale := self.scales.get("a")) is not None:
            x = x * scale
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = WalrusOk()
