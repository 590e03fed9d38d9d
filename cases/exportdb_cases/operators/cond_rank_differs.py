import torch


class CondRankDiffers(torch.nn.Module):
    """Branches whose results have different numbers of dimensions."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.sum(0), lambda x: x.cos(), (x,)).sum()


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondRankDiffers()
