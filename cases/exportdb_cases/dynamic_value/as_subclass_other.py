import torch


class Marked(torch.Tensor):
    """A tensor of a class of its own."""


class AsSubclassOther(torch.nn.Module):
    """A tensor as one of another class: non-strict export has a fake tensor in its place, which cannot become one."""

    def forward(self, x):
        return x.as_subclass(Marked) * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = AsSubclassOther()
twin = "as_subclass_tensor_ok"
