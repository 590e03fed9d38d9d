import torch


class IntOfTensorOk(torch.nn.Module):
    """A tensor of one element multiplies like a number, without being one."""

    def forward(self, x, n):
        return x * n


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"torch.dynamic-value"}
model = IntOfTensorOk()
