import torch


class BufferResizedRead(torch.nn.Module):
    """A registered buffer grows by what it is given."""

    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.zeros(1, 2))

    def forward(self, x):
        self.rows = torch.cat([self.rows, x])
        return self.rows.sum()


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = BufferResizedRead()
twin = "buffer_written_ok"
