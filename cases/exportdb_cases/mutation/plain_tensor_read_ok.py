import torch


class PlainTensorReadOk(torch.nn.Module):
    """A tensor that is a plain attribute and only read is a constant of the graph."""

    def __init__(self):
        super().__init__()
        self.shift = torch.ones(2)

    def forward(self, x):
        return x + self.shift


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = PlainTensorReadOk()
