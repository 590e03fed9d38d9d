import torch


class CondDtypeDiffersOk(torch.nn.Module):
    """Both results are brought to the same dtype inside the branches."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.sin().double(), lambda x: x.cos().double(), (x,)) * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondDtypeDiffersOk()
