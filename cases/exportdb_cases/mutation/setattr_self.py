import torch


class SetattrSelf(torch.nn.Module):
    """`setattr(self, name, value)` sets an attribute as `self.x =` does."""

    def __init__(self):
        super().__init__()
        self.last = torch.zeros(3, 2)

    def forward(self, x):
        y = x + self.last
        setattr(self, "last", x)
        return y


example_args = (torch.randn(3, 2),)
tags = {"python.object-model", "python.builtin"}
model = SetattrSelf()
twin = "attribute_assign_ok"
