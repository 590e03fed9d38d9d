import torch


class TensorBoolCall(torch.nn.Module):
    """`bool(t)` asks for the truth value in so many words."""

    def forward(self, x):
        positive = bool(x.sum() > 0)
        return x * positive


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorBoolCall()
twin = "tensor_where_ok"
