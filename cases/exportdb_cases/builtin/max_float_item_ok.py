import torch


class MaxFloatItemOk(torch.nn.Module):
    """`clamp` bounds the tensor in the graph."""

    def forward(self, x, step):
        return x * (step / 10).clamp(max=1.0)


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.builtin", "torch.dynamic-value"}
model = MaxFloatItemOk()
