import torch


class PrintOk(torch.nn.Module):
    """`print` runs while tracing and leaves nothing in the graph."""

    def forward(self, x):
        print("tracing")
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = PrintOk()
