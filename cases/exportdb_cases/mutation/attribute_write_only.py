import torch


class AttributeWriteOnly(torch.nn.Module):
    """A tensor kept on the module that no call reads: the exported program computes the same, but keeps nothing."""

    def forward(self, x):
        y = x.softmax(-1)
        self.weights = y
        return y * 2


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = AttributeWriteOnly()
issues = ("https://github.com/pytorch/pytorch/issues/130820",)
