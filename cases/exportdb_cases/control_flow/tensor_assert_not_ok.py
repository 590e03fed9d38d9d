import torch


class TensorAssertNotOk(torch.nn.Module):
    """The negated condition goes into `torch._assert_async` with `~`."""

    def forward(self, x):
        torch._assert_async(~torch.isnan(x).any(), "x has NaN")
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.assert", "torch.dynamic-value"}
model = TensorAssertNotOk()
