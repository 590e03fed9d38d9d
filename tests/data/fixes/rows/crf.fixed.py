"""The log partition of a linear-chain CRF, step by step through the emissions."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, tags=3):
        super().__init__()
        self.transitions = nn.Parameter(torch.linspace(-1, 1, tags * tags).view(tags, tags))
        self.start = nn.Parameter(torch.linspace(0, 1, tags))

    def forward(self, emissions):
        alpha = self.start + emissions[0]

        rows = emissions[1:]
        rounds = torch.tensor(rows.shape[0])

        def keep_going(i, alpha):
            return i < rounds

        def step(i, alpha):
            emission = rows[i.reshape(1)].squeeze(0)
            # All ways into each tag.
            scores = alpha[:, None] + self.transitions
            alpha = scores.logsumexp(0) + emission
            return i + 1, alpha.contiguous()

        i, alpha = torch._higher_order_ops.while_loop(
            keep_going, step, (torch.zeros_like(rounds), alpha)
        )
        return alpha.logsumexp(0)


steps = torch.export.Dim("steps", min=3, max=64)
dynamic_shapes = {"emissions": {0: steps}}
example_args = (torch.linspace(-2, 2, 15).view(5, 3),)
model = Net()
inputs = [(torch.linspace(-2, 2, 3 * n).view(n, 3),) for n in (5, 3, 9)]
# mended: EDB303
