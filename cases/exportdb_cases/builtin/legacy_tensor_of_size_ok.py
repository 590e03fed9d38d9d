import torch


class LegacyTensorOfSizeOk(torch.nn.Module):
    """A tensor of the old constructors, as large as another one, whose sizes are given one by one."""

    def forward(self, x):
        return torch.FloatTensor(*x.size()).zero_(), x.sin()


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = LegacyTensorOfSizeOk()
