import torch


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __mul__(self, other):
        return self.factor * other


class OperatorOfObject(torch.nn.Module):
    """An object of a class that defines `*` is multiplied by a tensor: Dynamo gives the operator of a tensor to the graph, which
    takes no such object."""

    def __init__(self):
        super().__init__()
        self.scale = Scale(2.0)

    def forward(self, x):
        return self.scale * x


example_args = (torch.randn(3),)
tags = {"python.object-model"}
model = OperatorOfObject()
