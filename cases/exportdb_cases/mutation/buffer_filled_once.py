import torch


class BufferFilledOnce(torch.nn.Module):
    """A buffer that begins as None and is filled by the first call takes the place of an input in non-strict export."""

    def __init__(self):
        super().__init__()
        self.register_buffer("steps", None, persistent=False)

    def forward(self, x):
        if self.steps is None:
            self.steps = torch.arange(x.shape[1]) * 2.0
        return x + self.steps


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = BufferFilledOnce()
