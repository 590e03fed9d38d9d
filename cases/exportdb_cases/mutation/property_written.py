import torch


class PropertyWritten(torch.nn.Module):
    """A property whose setter keeps a number: what every call adds is lost."""

    def __init__(self):
        super().__init__()
        self._step = 0

    @property
    def step(self):
        return self._step

    @step.setter
    def step(self, value):
        self._step = value

    def forward(self, x):
        self.step = self.step + 1
        return x * self.step


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = PropertyWritten()
