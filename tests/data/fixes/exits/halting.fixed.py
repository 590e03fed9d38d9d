"""Adaptive computation time: a round more until every row has halted."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, d=8, max_steps=4, eps=0.01):
        super().__init__()
        self.cell = nn.GRUCell(d, d)
        self.halt = nn.Linear(d, 1)
        self.max_steps = max_steps
        self.eps = eps

    def forward(self, x):
        h = torch.zeros_like(x)
        halted = torch.zeros(x.shape[0])
        out = torch.zeros_like(x)
        steps = torch.zeros(x.shape[0])
        done = h.new_zeros((), dtype=torch.bool)
        for _ in range(self.max_steps):
            def true_branch(done, h, x, halted, out, steps):
                h = self.cell(x, h)
                p = torch.sigmoid(self.halt(h)).squeeze(-1)
                running = (halted < 1 - self.eps).float()
                p = torch.min(p * running, 1 - halted)
                halted = halted + p
                out = out + p.unsqueeze(-1) * h
                steps = steps + running
                done = (halted >= 1 - self.eps).all()
                return done.float(), h, halted, out, steps

            def false_branch(done, h, x, halted, out, steps):
                return done.float(), h.clone(), halted.clone(), out.clone(), steps.clone()

            done, h, halted, out, steps = torch.cond(
                ~done, true_branch, false_branch, (done, h, x, halted, out, steps)
            )
            done = done.bool()
        return out, steps


inputs = [(torch.linspace(-2, 3, 24).view(3, 8) * scale,) for scale in (1.0, 30.0, -30.0)]
# mended: EDB101
