import torch


class BufferInPlaceOk(torch.nn.Module):
    """A registered buffer written in place is kept from call to call."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(2))

    def forward(self, x):
        self.total.add_(x.sum(0))
        return x + self.total


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = BufferInPlaceOk()
issues = ("https://github.com/pytorch/pytorch/issues/111676",)
