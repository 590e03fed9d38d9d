import torch


class SplitUniqueCountsOk(torch.nn.Module):
    """A sum by group without a split: the groups as indices."""

    def forward(self, x, groups):
        sums = x.new_zeros(2).index_add(0, groups, x)
        return sums.sum()


example_args = (torch.randn(4), torch.tensor([0, 0, 1, 1]))
tags = {"torch.dynamic-value"}
model = SplitUniqueCountsOk()
