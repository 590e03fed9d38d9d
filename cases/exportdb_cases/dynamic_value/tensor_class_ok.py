import torch


class TensorClassOk(torch.nn.Module):
    """`isinstance` has the same answer while tracing as in eager."""

    def forward(self, x):
        if isinstance(x, torch.Tensor):
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = TensorClassOk()
