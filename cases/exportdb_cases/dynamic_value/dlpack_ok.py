import torch


class DlpackOk(torch.nn.Module):
    """The tensor itself is used."""

    def forward(self, x):
        return x + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = DlpackOk()
