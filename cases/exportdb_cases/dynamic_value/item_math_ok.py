import torch


class ItemMathOk(torch.nn.Module):
    """The function of torch on the tensor."""

    def forward(self, x):
        return x * x.abs().sum().floor()


example_args = (torch.rand(3, 2) + 1,)
tags = {"torch.dynamic-value"}
model = ItemMathOk()
