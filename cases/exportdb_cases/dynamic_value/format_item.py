import torch


class FormatItem(torch.nn.Module):
    """A format specification needs the number itself."""

    def forward(self, x):
        label = f"{x.sum().item():.2f}"
        return x.sin(), len(label)


example_args = (torch.rand(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = FormatItem()
twin = "print_tensor_ok"
