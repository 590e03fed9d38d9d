import torch


class BufferSetToNone(torch.nn.Module):
    """A registered buffer is set to None: non-strict export has no tensor for it then."""

    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.zeros(3, 2))

    def forward(self, x):
        self.kept = None
        return x * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = BufferSetToNone()
twin = "buffer_written_ok"
