import torch


class TensorAnd(torch.nn.Module):
    """`and` needs the truth value of its left operand."""

    def forward(self, x):
        both = x.max() > 0 and x.min() < 0
        return x * both


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorAnd()
