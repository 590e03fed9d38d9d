"""Steps between rows that a mask keeps, where there are two rows at least: the gradient of the Lovász extension."""

import torch
from torch import nn


class Net(nn.Module):
    def gradient(self, relevant):
        n = len(relevant)
        total = relevant.sum()
        inside = total - relevant.cumsum(0)
        outside = total + (1 - relevant).cumsum(0)
        jaccard = 1.0 - inside / outside
        if n > 1:  # a single row stays as it is
            jaccard[1:n] = jaccard[1:n] - jaccard[0:-1]
        return jaccard

    def forward(self, x, keep):
        kept = x[keep]
        errors, order = kept.abs().sort(descending=True)
        relevant = (kept > 0).float()[order]
        y = torch.dot(errors, self.gradient(relevant))
        if kept.shape[0] >= 3:
            kept[2:] = 2 * kept[2:] - kept[:-2]
        return y, kept.sum()


example_args = (torch.linspace(-1, 1, 8), torch.arange(8) % 3 > 0)
inputs = [(torch.linspace(-1, 1, 8) ** 3, torch.arange(8) < n) for n in (8, 3, 2, 1, 0)]
# mended: EDB103 EDB203
