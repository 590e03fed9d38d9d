# expected: non-strict ok, strict ok
"""Exports, and computes what eager computes."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 4)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls.add_(1)
        return self.linear(x).relu() * self.calls


model = Net()
example_args = (torch.randn(2, 3),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
