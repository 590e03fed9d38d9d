import torch


class NoGradInPlaceOk(torch.nn.Module):
    """An in-place write under `torch.no_grad()` is in the graph."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(2))

    def forward(self, x):
        with torch.no_grad():
            self.total += x.sum(0)
        return x + self.total


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.context-manager"}
model = NoGradInPlaceOk()
