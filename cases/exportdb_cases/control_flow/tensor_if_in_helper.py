import torch


def clip(x):
    if x.max() > 1:
        return x / x.max()
    return x


class TensorIfInHelper(torch.nn.Module):
    """A branch on a tensor in a function that forward calls."""

    def forward(self, x):
        return clip(x.sin() * 3)


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorIfInHelper()
twin = "tensor_if_in_helper_ok"
