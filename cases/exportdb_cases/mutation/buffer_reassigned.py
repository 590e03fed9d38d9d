import torch


class BufferReassigned(torch.nn.Module):
    """A buffer that is given a new tensor instead of being written in place."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(2))

    def forward(self, x):
        self.total = self.total + x.sum(0)
        return x + self.total


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = BufferReassigned()
twin = "buffer_in_place_ok"
issues = ("https://github.com/pytorch/pytorch/pull/122337",)
