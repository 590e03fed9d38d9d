import torch


class MaskedMeetsKnownOk(torch.nn.Module):
    """Where a selection meets a tensor of known size, export takes the sizes for equal and knows the size of the sum."""

    def forward(self, x):
        y = x[x > -100.0] + x
        return y.sin() if y.shape[0] > 3 else y.cos()


example_args = (torch.randn(6),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = MaskedMeetsKnownOk()
