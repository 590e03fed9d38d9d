import torch


class CondStrideDiffers(torch.nn.Module):
    """Branches whose results lie differently in memory."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos().t().contiguous().t(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondStrideDiffers()
