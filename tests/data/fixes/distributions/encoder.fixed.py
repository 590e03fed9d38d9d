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
        distribution = Normal(mean, spread + 2, validate_args=False)
        torch._assert_async(
            distribution.arg_constraints["loc"].check(distribution.loc).all(),
            "loc of Normal is out of range",
        )
        torch._assert_async(
            distribution.arg_constraints["scale"].check(distribution.scale).all(),
            "scale of Normal is out of range",
        )
        return distribution

    def forward(self, x):
        posterior = self.encode(x)
        prior = Normal(torch.zeros(2), torch.ones(2), validate_args=False)
        torch._assert_async(
            prior.arg_constraints["loc"].check(prior.loc).all(), "loc of Normal is out of range"
        )
        torch._assert_async(
            prior.arg_constraints["scale"].check(prior.scale).all(), "scale of Normal is out of range"
        )
        return posterior.rsample(), kl_divergence(posterior, prior)


inputs = [
    (torch.linspace(-1, 1, 12).view(4, 3),),
    (torch.linspace(1, 0, 12).view(4, 3),),
    (torch.full((4, 3), 50.0),),
    (torch.full((4, 3), float("nan")),),
]
# mended: EDB105
