import torch


class PercentNumber(torch.nn.Module):
    """A number in `%` is read while tracing."""

    def forward(self, x):
        message = "loss %.2f" % x.sum()
        return x.sin()


example_args = (torch.rand(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = PercentNumber()
twin = "print_tensor_ok"
