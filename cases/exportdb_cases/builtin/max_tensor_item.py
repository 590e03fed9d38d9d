import torch


class MaxTensorItem(torch.nn.Module):
    """The builtin `min` of a tensor and a number read from another one."""

    def forward(self, x, limit):
        return x * min(x.sum(), limit.item())


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.builtin", "torch.dynamic-value"}
model = MaxTensorItem()
