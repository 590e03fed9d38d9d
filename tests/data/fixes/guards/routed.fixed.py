"""A mask of padding that takes tokens away from the experts that they go to."""

import torch
from torch import nn


def one_hot(indices, count):
    rows = torch.zeros(*indices.shape, count, device=indices.device)
    return rows.scatter_(1, indices.unsqueeze(1), 1)


class Net(nn.Module):
    def forward(self, gates, padding):
        chosen = one_hot(gates.argmax(1), 3)

        def true_branch(padding, chosen):
            kept = ~padding
            # Padding goes nowhere.
            chosen = chosen * kept.unsqueeze(-1).to(chosen.dtype)
            return chosen.contiguous()

        def false_branch(padding, chosen):
            return chosen.clone(memory_format=torch.contiguous_format)

        if padding is not None:
            chosen = torch.cond(padding.any(), true_branch, false_branch, (padding, chosen))
        else:
            chosen = false_branch(padding, chosen)
        return chosen.sum(0)


inputs = [(torch.randn(4, 3), torch.tensor([0, 1, 1, 0]) > 0), (torch.randn(4, 3), torch.zeros(4) > 0)]
# mended: EDB101
