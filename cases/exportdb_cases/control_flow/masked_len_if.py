import torch


class MaskedLenIf(torch.nn.Module):
    """`if len(y)` after a mask is a branch on data."""

    def forward(self, x):
        chosen = x[x > 0]
        total = x.new_zeros(())
        if len(chosen):
            total = total + chosen.sum()
        return total


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = MaskedLenIf()
twin = "nonzero_for_ok"
