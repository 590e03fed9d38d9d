import torch


class TensorRaise(torch.nn.Module):
    """A raise that is guarded by a tensor is a branch on data."""

    def forward(self, x):
        bad = torch.isnan(x)
        if bad.any():
            raise ValueError("x has NaN")
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorRaise()
