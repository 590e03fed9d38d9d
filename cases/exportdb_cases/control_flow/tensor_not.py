import torch


class TensorNot(torch.nn.Module):
    """`not` needs the truth value of its operand."""

    def forward(self, x):
        negative = not x.sum() > 0
        return x * negative


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorNot()
