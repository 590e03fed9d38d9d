import torch


class SortedPairsOk(torch.nn.Module):
    """The names alone are sorted."""

    def forward(self, x):
        parts = {"low": x - 1, "high": x + 1}
        return torch.cat([parts[name] for name in sorted(parts)])


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "python.data-structure"}
model = SortedPairsOk()
