import torch


class BufferResized(torch.nn.Module):
    """A registered buffer is given a tensor of another shape, which non-strict export copies into the old one."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(2))

    def forward(self, x):
        self.mean = x.mean(0, keepdim=True)
        return x - self.mean


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = BufferResized()
twin = "buffer_written_ok"
