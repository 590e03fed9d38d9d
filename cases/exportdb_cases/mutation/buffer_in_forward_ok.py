import torch


class BufferInForwardOk(torch.nn.Module):
    """The mask is a buffer from the beginning, as large as any input."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.ones(8, 8).triu(1).bool(), persistent=False)

    def forward(self, x):
        return (x.T @ x).masked_fill(self.mask[: x.shape[1], : x.shape[1]], 0.0)


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = BufferInForwardOk()
