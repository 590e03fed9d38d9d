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


class RegisteredBranchOk(torch.nn.Module):
    """Another function than the one that branches on a tensor is taken from the registry."""

    def __init__(self):
        super().__init__()
        self.activation = ACTIVATIONS["relu"]

    def forward(self, x):
        return self.activation(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = RegisteredBranchOk()
