import torch


class TensorChainedCompare(torch.nn.Module):
    """`0 < t < 1` is `0 < t and t < 1`: the first comparison is asked for its truth value."""

    def forward(self, x):
        inside = 0 < x.mean() < 1
        return x * inside


example_args = (torch.rand(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorChainedCompare()
twin = "tensor_and_ok"
