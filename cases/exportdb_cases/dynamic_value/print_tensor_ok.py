import torch


class PrintTensorOk(torch.nn.Module):
    """Printing a tensor shows the fake one while tracing and leaves nothing in the graph."""

    def forward(self, x):
        print("x is", x)
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = PrintTensorOk()
