import torch


class BufferSliceWriteOk(torch.nn.Module):
    """A streaming cache in a buffer, shifted and written in slices."""

    def __init__(self):
        super().__init__()
        self.register_buffer("frames", torch.zeros(4, 2))

    def forward(self, x):
        self.frames.copy_(torch.cat([self.frames[1:], x.unsqueeze(0)]))
        return self.frames.mean(0)


example_args = (torch.randn(2),)
tags = {"torch.mutation"}
model = BufferSliceWriteOk()
