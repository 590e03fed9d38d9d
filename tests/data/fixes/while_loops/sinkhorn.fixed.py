"""Sinkhorn rounds on the routing of a mixture of experts."""

import torch
from torch import nn
from torch._higher_order_ops.while_loop import while_loop


class Net(nn.Module):
    def __init__(self, width=4, experts=3):
        super().__init__()
        self.gate = nn.Linear(width, experts)

    def forward(self, tokens, rounds):
        cost = self.gate(tokens).exp()
        left = rounds * 1

        def unbalanced(cost, left):
            return left > 0

        def balance(cost, left):
            left = left.clone()
            cost = cost / cost.sum(0, keepdim=True)
            cost = cost / cost.sum(1, keepdim=True)
            left -= 1  # one round less
            return cost, left

        cost, _ = while_loop(unbalanced, balance, (cost, left))
        return cost, cost.argmax(-1)


inputs = [(torch.linspace(-2, 2, 20).view(5, 4), torch.tensor(k)) for k in (3, 0, 1)]
# mended: EDB605
