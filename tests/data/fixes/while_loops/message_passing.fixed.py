"""Rounds of message passing on a graph, as many as are asked for."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.update = nn.Linear(width, width)

    def forward(self, nodes, edges, rounds):
        first = nodes * 1.0
        count = torch.zeros_like(rounds)

        def more(count, state):
            return count < rounds

        def spread(count, state):
            state = state.clone()
            state += torch.tanh(self.update(edges @ state))
            return count + 1, state

        _, state = torch._higher_order_ops.while_loop(more, spread, (count, first))
        return state.sum(0)


edges = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
inputs = [(torch.linspace(-1, 1, 6).view(2, 3), edges, torch.tensor(k)) for k in (2, 0, 4)]
# mended: EDB605
