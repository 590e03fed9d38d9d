import torch


class IsNonzero(torch.nn.Module):
    """`Tensor.is_nonzero` gives a Python bool."""

    def forward(self, x):
        if x.sum().is_nonzero():
            return x.sin()
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = IsNonzero()
twin = "tensor_where_ok"
