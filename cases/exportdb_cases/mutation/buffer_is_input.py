import torch


class BufferIsInput(torch.nn.Module):
    """A buffer becomes the very tensor that is the input."""

    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(3))

    def forward(self, x):
        self.last = x
        return x * 2


example_args = (torch.randn(3),)
tags = {"torch.mutation", "python.object-model"}
model = BufferIsInput()
twin = "buffer_written_ok"
