import torch


class Result:
    def __init__(self, value):
        self.value = value


class ClassOutput(torch.nn.Module):
    """An object of a plain class as an output."""

    def forward(self, x):
        return Result(x.sin())


example_args = (torch.randn(3),)
tags = {"python.object-model"}
model = ClassOutput()
twin = "class_output_ok"
