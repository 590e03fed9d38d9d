import torch


class CondDtypeDiffers(torch.nn.Module):
    """Branches whose results have different dtypes."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos().double(), (x,)) * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondDtypeDiffers()
