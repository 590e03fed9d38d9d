import torch


class LegacyTensorOfSize(torch.nn.Module):
    """A tensor of the old constructors, as large as another one; strict export makes one of the two sizes."""

    def forward(self, x):
        return torch.FloatTensor(x.size()).zero_(), x.sin()


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = LegacyTensorOfSize()
