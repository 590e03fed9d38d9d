import torch


class DataNew(torch.nn.Module):
    """A mask of ones is made like `x.data`: none of its numbers is read."""

    def forward(self, x):
        mask = x.data.new(x.size(0), 1).fill_(1.0)
        return x * mask


example_args = (torch.randn(2, 3),)
tags = {"torch.mutation"}
model = DataNew()
