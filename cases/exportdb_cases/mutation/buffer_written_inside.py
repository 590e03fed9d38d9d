import torch


class Centre(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(2))

    def forward(self, x):
        self.mean = x.mean(0)
        return x - self.mean


class BufferWrittenInside(torch.nn.Module):
    """A buffer of a submodule is assigned to, and not read before: non-strict export does not update it."""

    def __init__(self):
        super().__init__()
        self.centre = Centre()

    def forward(self, x):
        return self.centre(x) * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = BufferWrittenInside()
twin = "buffer_written_ok"
