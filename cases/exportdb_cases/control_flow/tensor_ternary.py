import torch


class TensorTernary(torch.nn.Module):
    """A conditional expression asks the tensor for its truth value like an `if` does."""

    def forward(self, x):
        scale = 2.0 if x.mean() > 0 else 0.5
        return x * scale


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorTernary()
