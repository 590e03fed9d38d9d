import torch


class GeneratorOutput(torch.nn.Module):
    """A generator as an output."""

    def forward(self, x):
        return (row.sin() for row in x)


example_args = (torch.randn(3, 2),)
tags = {"python.data-structure"}
model = GeneratorOutput()
twin = "list_append_ok"
