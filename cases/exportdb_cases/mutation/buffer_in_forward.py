import torch


class BufferInForward(torch.nn.Module):
    """A buffer that tracing registers takes the place of an input in the program of non-strict export."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mask", None, persistent=False)

    def forward(self, x):
        if self.mask is None:
            self.register_buffer("mask", torch.ones(x.shape[1], x.shape[1]).triu(1).bool(), persistent=False)
        return (x.T @ x).masked_fill(self.mask, 0.0)


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = BufferInForward()
twin = "buffer_in_forward_ok"
