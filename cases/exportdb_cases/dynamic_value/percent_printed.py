import torch


class PercentPrinted(torch.nn.Module):
    """Strict export cannot print a tensor with `%s`."""

    def forward(self, x):
        message = "loss %s" % x.sum()
        return x.sin()


example_args = (torch.rand(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = PercentPrinted()
twin = "print_tensor_ok"
