import torch

shared = torch.randn(3)


class SameTensorTwiceOk(torch.nn.Module):
    """The same tensor for two inputs."""

    def forward(self, x, y):
        return x + y * 2


example_args = (shared, shared)
tags = {"python.object-model"}
model = SameTensorTwiceOk()
