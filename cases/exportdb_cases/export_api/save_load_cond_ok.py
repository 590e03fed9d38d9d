import torch


class SaveLoadCondOk(torch.nn.Module):
    """A program with a `torch.cond` in it can be saved and loaded."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
after = "save"
tags = {"torch.operator", "torch.cond"}
model = SaveLoadCondOk()
