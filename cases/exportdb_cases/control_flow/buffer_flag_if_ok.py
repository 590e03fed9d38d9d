import torch


class BufferFlagIfOk(torch.nn.Module):
    """A flag that is a Python bool is known while tracing."""

    def __init__(self):
        super().__init__()
        self.ready = True

    def forward(self, x):
        if self.ready:
            x = x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = BufferFlagIfOk()
