import torch

ACTIVATIONS = {}


def register(function):
    ACTIVATIONS[function.__name__] = function
    return function


@register
def gate(x):
    return x if x.sum() > 0 else -x


@register
def relu(x):
    return x.relu()


class RegisteredBranch(torch.nn.Module):
    """A branch on a tensor in a function that a decorator registers under its name."""

    def __init__(self):
        super().__init__()
        self.activation = ACTIVATIONS["gate"]

    def forward(self, x):
        return self.activation(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = RegisteredBranch()
