import torch


class UniqueFirst(torch.nn.Module):
    """Indexing the unbacked result of `torch.unique`."""

    def forward(self, x):
        return torch.unique(x)[0] + 1


example_args = (torch.tensor([1, 2, 2, 3]),)
tags = {"torch.dynamic-value"}
model = UniqueFirst()
