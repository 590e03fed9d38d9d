import torch


class DataInPlace(torch.nn.Module):
    """An in-place write through `.data` is not seen by tracing."""

    def forward(self, x):
        y = x.clone()
        y.data.mul_(3)
        return y + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = DataInPlace()
