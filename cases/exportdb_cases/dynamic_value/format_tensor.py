import torch


class FormatTensor(torch.nn.Module):
    """A format specification wants the number of a tensor."""

    def forward(self, x):
        message = f"loss {x.sum():.2f}"
        return x.sin()


example_args = (torch.rand(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = FormatTensor()
twin = "print_tensor_ok"
