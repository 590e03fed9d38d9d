import torch


class PlainTensorInPlace(torch.nn.Module):
    """A tensor that is a plain attribute, not a buffer, is a constant of the graph."""

    def __init__(self):
        super().__init__()
        self.total = torch.zeros(2)

    def forward(self, x):
        self.total.add_(x.sum(0))
        return x + self.total


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = PlainTensorInPlace()
twin = "buffer_in_place_ok"
