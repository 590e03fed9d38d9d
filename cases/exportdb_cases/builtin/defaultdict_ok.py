from collections import defaultdict

import torch


class DefaultdictOk(torch.nn.Module):
    """A defaultdict that lives in one call."""

    def forward(self, x):
        parts = defaultdict(list)
        for i, row in enumerate(x):
            parts[i % 2].append(row)
        return torch.stack(parts[0]).sum(0) - torch.stack(parts[1]).sum(0)


example_args = (torch.randn(4, 2),)
tags = {"python.standard-library", "python.data-structure"}
model = DefaultdictOk()
