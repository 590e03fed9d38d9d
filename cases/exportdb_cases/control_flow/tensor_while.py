import torch


class TensorWhile(torch.nn.Module):
    """A loop that runs until a tensor is small enough cannot be unrolled while tracing."""

    def forward(self, x):
        while x.abs().max() > 1.0:
            x = x * 0.5
        return x


example_args = (torch.randn(3, 2) * 8,)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorWhile()
