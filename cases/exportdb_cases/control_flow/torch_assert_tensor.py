import torch


class TorchAssertTensor(torch.nn.Module):
    """`torch._assert` on a tensor, which asks for its truth value on most versions."""

    def forward(self, x):
        torch._assert((x.abs() < 100).all(), "x is too large")
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.assert", "torch.dynamic-value"}
model = TorchAssertTensor()
twin = "tensor_assert_ok"
issues = ("https://github.com/pytorch/pytorch/pull/186306",)
