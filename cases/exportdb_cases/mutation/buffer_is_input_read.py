import torch


class BufferIsInputRead(torch.nn.Module):
    """A buffer, which is read before, becomes the very tensor that is the input."""

    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(3))

    def forward(self, x):
        change = x - self.last
        self.last = x
        return change


example_args = (torch.randn(3),)
tags = {"torch.mutation", "python.object-model"}
model = BufferIsInputRead()
twin = "buffer_written_ok"
