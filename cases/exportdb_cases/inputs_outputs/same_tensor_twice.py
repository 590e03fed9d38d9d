import torch

shared = torch.randn(3)


class SameTensorTwice(torch.nn.Module):
    """One tensor for two inputs of the example: the exported program reads the first of them only."""

    def forward(self, x, y):
        return x + y * 2


example_args = (shared, shared)
tags = {"python.object-model"}
model = SameTensorTwice()
twin = "exported_program_ok"
