import torch


def clip(x):
    return x / x.max().clamp(min=1)


class TensorIfInHelperOk(torch.nn.Module):
    """The function does it with an operator."""

    def forward(self, x):
        return clip(x.sin() * 3)


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorIfInHelperOk()
