import torch


class TensorClassGuard(torch.nn.Module):
    """An assertion of the exact class of a tensor raises while non-strict export traces."""

    def forward(self, x):
        assert type(x) is torch.Tensor, "no tensor"
        return x * 2


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = TensorClassGuard()
twin = "tensor_class_ok"
