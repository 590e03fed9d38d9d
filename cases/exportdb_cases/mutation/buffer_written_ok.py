import torch


class Centre(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(2))

    def forward(self, x):
        self.mean.copy_(x.mean(0))
        return x - self.mean


class BufferWrittenOk(torch.nn.Module):
    """A buffer of a submodule that is written into, and one of the model itself that is given what is as large."""

    def __init__(self):
        super().__init__()
        self.centre = Centre()
        self.register_buffer("last", torch.zeros(3, 2))

    def forward(self, x):
        self.last = self.centre(x) * 2
        return self.last + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = BufferWrittenOk()
