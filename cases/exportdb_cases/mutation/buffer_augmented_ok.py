import torch


class BufferAugmentedOk(torch.nn.Module):
    """`+=` on a registered buffer is kept from call to call like the in-place method."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(2))

    def forward(self, x):
        self.total += x.sum(0)
        return x + self.total


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = BufferAugmentedOk()
issues = ("https://github.com/pytorch/pytorch/issues/111676",)
