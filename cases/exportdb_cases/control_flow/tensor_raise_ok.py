import torch


class TensorRaiseOk(torch.nn.Module):
    """`torch._assert_async` fails when the program runs, like the raise did."""

    def forward(self, x):
        bad = torch.isnan(x)
        torch._assert_async(~bad.any(), "x has NaN")
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorRaiseOk()
