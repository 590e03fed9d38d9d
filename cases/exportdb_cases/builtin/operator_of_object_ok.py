import torch


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def scaled(self, other):
        return self.factor * other


class OperatorOfObjectOk(torch.nn.Module):
    """A method of an object is called with a tensor."""

    def __init__(self):
        super().__init__()
        self.scale = Scale(2.0)

    def forward(self, x):
        return self.scale.scaled(x)


example_args = (torch.randn(3),)
tags = {"python.object-model"}
model = OperatorOfObjectOk()
