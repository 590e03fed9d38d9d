import torch


class CondIntOperandOk(torch.nn.Module):
    """A number belongs into the closure of the branches."""

    def forward(self, x):
        n = 2
        return torch.cond(x.sum() > 0, lambda x: x * n, lambda x: x + n, (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "python.closure"}
model = CondIntOperandOk()
