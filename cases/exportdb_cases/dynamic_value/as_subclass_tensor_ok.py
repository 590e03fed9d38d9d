import torch


class AsSubclassTensorOk(torch.nn.Module):
    """Export gives a model plain tensors: there is nothing to take off."""

    def forward(self, x):
        return x * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = AsSubclassTensorOk()
