import torch


class BoolArithmetic(torch.nn.Module):
    """A bool from a tensor, a `torch.SymBool` while tracing, is calculated with."""

    def forward(self, x):
        positive = (x > 0).any().item()
        return x * (positive + 1)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = BoolArithmetic()
twin = "int_of_bool_ok"
