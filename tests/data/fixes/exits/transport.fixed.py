"""Sinkhorn iterations that end when a number read from a tensor is small."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, iters=5, eps=0.1, thresh=1e-3):
        super().__init__()
        self.iters = iters
        self.eps = eps
        self.thresh = thresh

    def forward(self, cost):
        n, m = cost.shape
        mu = torch.full((n,), 1.0 / n)
        nu = torch.full((m,), 1.0 / m)
        u = torch.zeros_like(mu)
        v = torch.zeros_like(nu)
        done = u.new_zeros((), dtype=torch.bool)
        for i in range(self.iters):
            def true_branch(done, u, mu, cost, v, nu):
                u1 = u
                u = self.eps * (torch.log(mu + 1e-8) - torch.logsumexp(self.M(cost, u, v), dim=-1)) + u
                v = self.eps * (
                    torch.log(nu + 1e-8) - torch.logsumexp(self.M(cost, u, v).transpose(-2, -1), dim=-1)
                ) + v
                err = (u - u1).abs().sum(-1).mean()
                done = err < self.thresh
                return done.float(), u.contiguous(), v.contiguous()

            def false_branch(done, u, mu, cost, v, nu):
                return done.float(), u.clone(
                    memory_format=torch.contiguous_format
                ), v.clone(memory_format=torch.contiguous_format)

            done, u, v = torch.cond(~done, true_branch, false_branch, (done, u, mu, cost, v, nu))
            done = done.bool()
        pi = torch.exp(self.M(cost, u, v))
        return torch.sum(pi * cost), pi

    def M(self, C, u, v):
        return (-C + u.unsqueeze(-1) + v.unsqueeze(-2)) / self.eps


inputs = [(torch.linspace(0, 1, 20).view(4, 5).cos() * scale,) for scale in (1.0, 0.01, 3.0)]
# mended: EDB103
