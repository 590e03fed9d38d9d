"""Parameters that the first batch fills, as in activation normalisation; a flag of Python says that they are."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.register_buffer("ready", torch.tensor(False), persistent=False)

    def forward(self, x):
        def true_branch(x, bias, ready, scale):
            bias = bias.clone()
            scale = scale.clone()
            ready = ready.clone()
            # as if it were whitened
            with torch.no_grad():
                bias.copy_(-x.mean(0))
                scale.copy_(1 / (x.std(0) + 1e-3))
            ready.fill_(True)
            return bias, scale, ready.float()

        def false_branch(x, bias, ready, scale):
            return bias.clone(), scale.clone(), ready.float()

        bias, scale, ready = torch.cond(
            ~self.ready,
            true_branch,
            false_branch,
            (x, self.bias.clone(), self.ready.clone(), self.scale.clone()),
        )
        self.ready.copy_(ready)
        with torch.no_grad():
            self.bias.copy_(bias)
            self.scale.copy_(scale)
        return (x + self.bias) * self.scale


inputs = [(torch.randn(5, 4) * i + i,) for i in range(1, 4)]
# mended: EDB101 EDB401
