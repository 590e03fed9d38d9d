import torch


class TensorClass(torch.nn.Module):
    """The exact class of a tensor decides a branch: non-strict export traces with tensors of another one."""

    def forward(self, x):
        if type(x) is torch.Tensor:
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = TensorClass()
