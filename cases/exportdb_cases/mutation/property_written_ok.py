import torch


class PropertyWrittenOk(torch.nn.Module):
    """The setter keeps the number in a buffer, in place."""

    def __init__(self):
        super().__init__()
        self.register_buffer("_step", torch.zeros(1))

    @property
    def step(self):
        return self._step

    @step.setter
    def step(self, value):
        self._step.copy_(value)

    def forward(self, x):
        self.step = self.step + 1
        return x * self.step


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = PropertyWrittenOk()
