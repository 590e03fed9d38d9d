import torch


class AttributeAssign(torch.nn.Module):
    """A tensor kept on the module for the next call is lost."""

    def __init__(self):
        super().__init__()
        self.last = torch.zeros(3, 2)

    def forward(self, x):
        y = x + self.last
        self.last = x
        return y


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = AttributeAssign()
issues = ("https://github.com/pytorch/pytorch/issues/106217",)
