import torch


class CondNumberClosedOver(torch.nn.Module):
    """A branch closes over a number from data."""

    def forward(self, x, n):
        times = n.item()
        return torch.cond(x.sum() > 0, lambda x: x * times, lambda x: x.sin(), (x,))


example_args = (torch.randn(3, 2), torch.tensor(2))
tags = {"torch.cond", "torch.dynamic-value"}
model = CondNumberClosedOver()
