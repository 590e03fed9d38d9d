import torch


def counter():
    calls = 0

    def count():
        nonlocal calls
        calls += 1
        return calls

    return count


class ClosureCounter(torch.nn.Module):
    """A nonlocal counter in a closure that lives longer than the call."""

    def __init__(self):
        super().__init__()
        self.count = counter()

    def forward(self, x):
        return x + self.count()


example_args = (torch.zeros(3, 2),)
tags = {"python.object-model", "python.closure"}
model = ClosureCounter()
twin = "attribute_counter_ok"
