import torch


class CondNoOperandsOk(torch.nn.Module):
    """Branches that take all they need from the closure."""

    def forward(self, x, y):
        return torch.cond(x.sum() > 0, lambda: x + y, lambda: x - y)


example_args = (torch.randn(3, 2), torch.randn(3, 2))
tags = {"torch.cond", "python.closure"}
model = CondNoOperandsOk()
issues = ("https://github.com/pytorch/pytorch/pull/138190",)
