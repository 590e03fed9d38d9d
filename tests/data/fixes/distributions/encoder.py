"""An encoder that gives a distribution from a method of its own, and how far it is from the prior."""

import torch
from torch import nn
from torch.distributions import Normal, kl_divergence


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def encode(self, x):
        mean, spread = self.layer(x).chunk(2, dim=-1)
        return Normal(mean, spread + 2)

    def forward(self, x):
        posterior = self.encode(x)
        prior = Normal(torch.zeros(2), torch.ones(2))
        return posterior.rsample(), kl_divergence(posterior, prior)


inputs = [
    (torch.linspace(-1, 1, 12).view(4, 3),),
    (torch.linspace(1, 0, 12).view(4, 3),),
    (torch.full((4, 3), 50.0),),
    (torch.full((4, 3), float("nan")),),
]
# mended: EDB105
