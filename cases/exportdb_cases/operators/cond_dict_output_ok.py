import torch


class CondDictOutputOk(torch.nn.Module):
    """Branches that return dicts with the same keys."""

    def forward(self, x):
        result = torch.cond(x.sum() > 0, lambda x: {"y": x.sin()}, lambda x: {"y": x.cos()}, (x,))
        return result["y"]


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "python.data-structure"}
model = CondDictOutputOk()
