import torch


class DeviceMoveOk(torch.nn.Module):
    """`.to(other)` and `.type_as` are operators of the graph."""

    def forward(self, x, y):
        return x.to(y) + y.type_as(x)


example_args = (torch.randn(3), torch.randn(3))
tags = {"python.object-model"}
model = DeviceMoveOk()
