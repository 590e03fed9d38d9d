import torch


class IndexListByTensorOk(torch.nn.Module):
    """`index_select` reads a table that is a tensor at a place that is a tensor."""

    def __init__(self):
        super().__init__()
        self.register_buffer("scales", torch.tensor([0.5, 1.0, 2.0]))

    def forward(self, x):
        return x * self.scales.index_select(0, x.argmax().reshape(1))


example_args = (torch.randn(3),)
tags = {"torch.dynamic-value"}
model = IndexListByTensorOk()
