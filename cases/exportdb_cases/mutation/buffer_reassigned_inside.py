import torch


class Average(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(2))

    def forward(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0)
        return x - self.mean


class BufferReassignedInside(torch.nn.Module):
    """A buffer of a submodule that is given a new tensor: non-strict export keeps what is assigned to the model itself alone."""

    def __init__(self):
        super().__init__()
        self.average = Average()

    def forward(self, x):
        return self.average(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = BufferReassignedInside()
twin = "buffer_in_place_ok"
