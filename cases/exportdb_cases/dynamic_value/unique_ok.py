import torch


class UniqueOk(torch.nn.Module):
    """`torch.unique` gives a tensor of unbacked size."""

    def forward(self, x):
        return torch.unique(x) + 1


example_args = (torch.tensor([1, 2, 2, 3]),)
tags = {"torch.dynamic-value"}
model = UniqueOk()
