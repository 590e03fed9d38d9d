import torch


class BufferFlagIf(torch.nn.Module):
    """A flag kept in a buffer is a tensor: a branch on it is a branch on data."""

    def __init__(self):
        super().__init__()
        self.register_buffer("ready", torch.tensor(True))

    def forward(self, x):
        if self.ready:
            x = x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = BufferFlagIf()
twin = "buffer_flag_if_ok"
