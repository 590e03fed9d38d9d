import torch


class IndexListByTensor(torch.nn.Module):
    """A Python list wants a number as its index."""

    def __init__(self):
        super().__init__()
        self.scales = [0.5, 1.0, 2.0]

    def forward(self, x):
        return x * self.scales[x.argmax()]


example_args = (torch.randn(3),)
tags = {"torch.dynamic-value", "python.data-structure"}
model = IndexListByTensor()
