import torch


class NumpyOutput(torch.nn.Module):
    """The output is an array of NumPy: that of the program that strict export makes is a tensor."""

    def forward(self, x):
        return x.numpy() * 2


example_args = (torch.randn(3),)
tags = {"python.data-structure"}
model = NumpyOutput()
issues = ("https://github.com/pytorch/pytorch/issues/132559",)
