import torch


class ClassInForward(torch.nn.Module):
    """A class that is defined in forward: strict export does not trace the body of a class."""

    def forward(self, x):
        class Pair:
            def __init__(self, left, right):
                self.left = left
                self.right = right

        pair = Pair(x.sin(), x.cos())
        return pair.left + pair.right


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ClassInForward()
