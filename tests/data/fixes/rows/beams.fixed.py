"""The best way through a lattice, and how good it is: what is carried is two tensors."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, states=3):
        super().__init__()
        self.register_buffer("moves", torch.linspace(-1, 1, states * states).view(states, states))

    def step(self, best, scores):
        return (best[:, None] + self.moves).amax(0) + scores

    def forward(self, lattice):
        best = lattice[0]
        worst = lattice[0]

        rounds = torch.tensor(lattice.shape[0])

        def keep_going(k, best, worst):
            return k < rounds

        def step_2(k, best, worst):
            best = self.step(best, lattice[k.reshape(1)].squeeze(0))
            worst = torch.minimum(worst, lattice[k.reshape(1)].squeeze(0))
            return k + 1, best, worst

        k, best, worst = torch._higher_order_ops.while_loop(
            keep_going, step_2, (torch.full_like(rounds, 1), best.clone(), worst.clone())
        )
        return best.max(), worst


dynamic_shapes = {"lattice": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.linspace(-2, 3, 12).view(4, 3),)
model = Net()
inputs = [(torch.linspace(-2, 3, 3 * n).view(n, 3),) for n in (4, 2, 7)]
# mended: EDB303
