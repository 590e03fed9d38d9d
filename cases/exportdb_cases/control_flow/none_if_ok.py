import torch


class NoneIfOk(torch.nn.Module):
    """Whether an optional input is None is known while tracing."""

    def forward(self, x, mask=None):
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
        return x.sum(0)


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "python.object-model"}
model = NoneIfOk()
