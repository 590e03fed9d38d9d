import torch


class BufferFilledOnceOk(torch.nn.Module):
    """An attribute that is no buffer is filled by the first call, and computed anew by each call of the program."""

    def __init__(self):
        super().__init__()
        self.steps = None
        self.begin = None

    def forward(self, x):
        if self.steps is None:
            self.steps = torch.arange(x.shape[1]) * 2.0
        if self.begin is None:
            self.begin = torch.zeros_like(x)
        return x + self.steps + self.begin


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = BufferFilledOnceOk()
