import torch


class Pair:
    def __init__(self, left, right):
        self.left = left
        self.right = right


class ClassInForwardOk(torch.nn.Module):
    """The class stands outside."""

    def forward(self, x):
        pair = Pair(x.sin(), x.cos())
        return pair.left + pair.right


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ClassInForwardOk()
