import torch


class NumpyOutputOk(torch.nn.Module):
    """The output is a tensor, from which the caller makes an array of NumPy."""

    def forward(self, x):
        return x * 2


example_args = (torch.randn(3),)
tags = {"python.data-structure"}
model = NumpyOutputOk()
