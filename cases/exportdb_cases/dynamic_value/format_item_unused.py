import torch


class FormatItemUnused(torch.nn.Module):
    """A formatted message about a value fails even where nobody reads it."""

    def forward(self, x):
        message = f"loss {x.sum().item():.2f}"
        return x.sin()


example_args = (torch.rand(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = FormatItemUnused()
twin = "print_tensor_ok"
