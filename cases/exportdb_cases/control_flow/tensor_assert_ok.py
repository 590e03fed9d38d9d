import torch


class TensorAssertOk(torch.nn.Module):
    """`torch._assert_async` checks a tensor when the program runs, with its message."""

    def forward(self, x):
        torch._assert_async(x.abs().max() < 100, "x is too large")
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.assert", "torch.dynamic-value"}
model = TensorAssertOk()
