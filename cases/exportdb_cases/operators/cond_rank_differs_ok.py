import torch


class CondRankDiffersOk(torch.nn.Module):
    """Both results are brought to the same shape inside the branches."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.sum(0).sum(), lambda x: x.cos().sum(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondRankDiffersOk()
