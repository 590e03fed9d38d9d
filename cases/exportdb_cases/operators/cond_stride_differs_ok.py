import torch


class CondStrideDiffersOk(torch.nn.Module):
    """`.contiguous()` in both branches."""

    def forward(self, x):
        return torch.cond(
            x.sum() > 0, lambda x: x.sin().contiguous(), lambda x: x.cos().t().contiguous().t().contiguous(), (x,)
        )


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondStrideDiffersOk()
