import torch


class AttributeCounterOk(torch.nn.Module):
    """A counter that is a buffer, written in place, is kept."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        return x + self.calls


example_args = (torch.zeros(3, 2),)
tags = {"python.object-model", "torch.mutation"}
model = AttributeCounterOk()
