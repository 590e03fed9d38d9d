"""A network that returns from within its layers, what it would return behind them."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(8, 8) for _ in range(depth)])
        self.heads = nn.ModuleList([nn.Linear(8, 3) for _ in range(depth)])

    def forward(self, x):
        done = x.new_zeros((), dtype=torch.bool)
        probs = None
        for i, block in enumerate(self.blocks):
            def true_branch(probs, done, x):
                x = torch.tanh(block(x))
                probs = torch.softmax(self.heads[i](x), dim=-1)
                entropy = -(probs * probs.clamp_min(1e-9).log()).sum(-1)
                done = entropy.max() < 0.9
                return probs, done.float(), x

            def false_branch(probs, done, x):
                return probs.clone(), done.float(), x.clone()

            if probs is None:
                probs, done, x = true_branch(probs, done, x)
            else:
                probs, done, x = torch.cond(
                    ~done, true_branch, false_branch, (probs, done, x)
                )
            done = done.bool()
        return probs


inputs = [(torch.linspace(-2, 3, 16).view(2, 8) * scale,) for scale in (1.0, 40.0, -8.0)]
# mended: EDB101
