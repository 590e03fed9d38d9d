import torch


class CounterUnreadOk(torch.nn.Module):
    """A count of the calls that nothing of the module reads: the graph does not count, and computes the same."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * 2


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = CounterUnreadOk()
