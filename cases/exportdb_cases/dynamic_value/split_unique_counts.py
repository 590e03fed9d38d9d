import torch


class SplitUniqueCounts(torch.nn.Module):
    """Splitting by counts that come from the data."""

    def forward(self, x, groups):
        _, counts = torch.unique(groups, return_counts=True)
        return sum(part.sum() for part in torch.split(x, counts.tolist()))


example_args = (torch.randn(4), torch.tensor([0, 0, 1, 1]))
extra_inputs = [(torch.randn(4), torch.tensor([0, 1, 1, 1]))]
tags = {"torch.dynamic-value"}
model = SplitUniqueCounts()
