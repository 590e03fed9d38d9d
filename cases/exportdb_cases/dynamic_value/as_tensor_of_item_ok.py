import torch


class AsTensorOfItemOk(torch.nn.Module):
    """`torch.tensor` of a number read from a tensor keeps the symbol."""

    def forward(self, x):
        return x * torch.tensor(x.max().item())


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.data-structure"}
model = AsTensorOfItemOk()
