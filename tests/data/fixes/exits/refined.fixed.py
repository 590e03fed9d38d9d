"""Layers that refine an estimate until it hardly changes, and give the last one at once."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x):
        done = x.new_zeros((), dtype=torch.bool)
        for layer in self.steps:
            def true_branch(done, x):
                new = layer(x).tanh()
                done = (new - x).abs().max() < 0.6
                x = new
                return done.float(), x

            def false_branch(done, x):
                return done.float(), x.clone()

            done, x = torch.cond(~done, true_branch, false_branch, (done, x))
            done = done.bool()
        return x


example_args = (torch.randn(2, 4),)
model = Net()
inputs = [(torch.randn(2, 4) * scale,) for scale in (0.1, 0.5, 1.0, 5.0)]
# mended: EDB101
