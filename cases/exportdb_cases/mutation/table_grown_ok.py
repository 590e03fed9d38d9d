import torch


class TableGrownOk(torch.nn.Module):
    """A table that a method makes longer where the input needs it."""

    def __init__(self):
        super().__init__()
        self.grow(8)

    def grow(self, length):
        self.length = length
        self.register_buffer("table", torch.arange(length, dtype=torch.float32), persistent=False)

    def forward(self, x):
        if x.shape[0] > self.length:
            self.grow(x.shape[0])
        return x * self.table[: x.shape[0], None]


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = TableGrownOk()
