import torch


class TensorFromNumbersOk(torch.nn.Module):
    """`torch.tensor` of Python numbers is a constant."""

    def forward(self, x):
        return x * torch.tensor([2.0, 1.0])


example_args = (torch.randn(3, 2),)
tags = {"python.data-structure"}
model = TensorFromNumbersOk()
