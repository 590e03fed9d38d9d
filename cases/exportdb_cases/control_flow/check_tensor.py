import torch


class CheckTensor(torch.nn.Module):
    """`torch._check` takes a bool or a SymBool: a tensor is a TypeError, in eager too."""

    def forward(self, x):
        torch._check((x.abs() < 100).all())
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.assert", "torch.dynamic-value"}
model = CheckTensor()
twin = "tensor_assert_ok"
