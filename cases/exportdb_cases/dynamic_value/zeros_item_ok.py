import torch


class ZerosItemOk(torch.nn.Module):
    """A tensor can be made with a size that comes from a tensor."""

    def forward(self, n):
        return torch.zeros(n.item()) + 1


example_args = (torch.tensor(4),)
tags = {"torch.dynamic-value"}
model = ZerosItemOk()
