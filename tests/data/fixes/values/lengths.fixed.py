"""How many are kept, as numbers of Python."""

import torch
from torch import nn


# exportdb: args=(torch.randn(8), torch.tensor([3, 8]))
class Net(nn.Module):
    def forward(self, scores, lengths):
        kept, rest = scores[scores > 0], scores[scores <= 0]
        hardest, _ = rest.sort(descending=True)
        parts = [scores[: n.item()].sum() for n in lengths]
        count = min(3 * kept.shape[0], rest.shape[0])
        return hardest[:count].sum(), torch.stack(parts)


inputs = [
    (torch.tensor([1.0, -2, 3, -4, -5, -6, -7, -8]), torch.tensor([3, 8])),
    (torch.tensor([1.0, -2, -1, -4, -5, -6, -7, -8]), torch.tensor([0, 1])),
    (-torch.ones(8), torch.tensor([8, 8])),
]
# mended: EDB203
