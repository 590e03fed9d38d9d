import torch


class BuffersByNameReassigned(torch.nn.Module):
    """Buffers that a method registers by computed names, and that `forward` assigns."""

    def __init__(self):
        super().__init__()
        self.sizes = {"state": 3}
        self.begin()

    def begin(self):
        for name, size in self.sizes.items():
            self.register_buffer(name, torch.zeros(size))

    def forward(self, x):
        self.state = self.state * 0.9 + x.mean(0)
        return x - self.state


example_args = (torch.randn(2, 3),)
tags = {"torch.mutation", "python.object-model"}
model = BuffersByNameReassigned()
twin = "buffer_in_place_ok"
