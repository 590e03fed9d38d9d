import torch


class AttributeRestoredOk(torch.nn.Module):
    """An attribute that is set and put back in the same call leaves no state."""

    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x):
        before = self.scale
        self.scale = 3.0
        y = x * self.scale
        self.scale = before
        return y


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = AttributeRestoredOk()
