import torch


class SortedPairs(torch.nn.Module):
    """Strict export sorts by constants: a tuple with a tensor in it is none, although the name before it decides."""

    def forward(self, x):
        parts = {"low": x - 1, "high": x + 1}
        return torch.cat([part for _, part in sorted(parts.items())])


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "python.data-structure"}
model = SortedPairs()
