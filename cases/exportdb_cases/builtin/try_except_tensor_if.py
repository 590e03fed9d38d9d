import torch


class TryExceptTensorIf(torch.nn.Module):
    """A handler that is meant to catch export's own error and to take another way."""

    def forward(self, x):
        try:
            if x.sum() > 0:
                return x.sin()
        except RuntimeError:
            return x.cos()
        return x.tan()


example_args = (torch.rand(3, 2) + 1,)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TryExceptTensorIf()
twin = "tensor_if_ok"
