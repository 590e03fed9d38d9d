"""A latent variable that is drawn anew, and how surprising it is; a count that a rate explains."""

import torch
import torch.distributions as D
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(3, 2)

    def forward(self, x, counts):
        mean = self.encode(x)
        latent = D.Normal(mean, mean.square() + 0.1, validate_args=False)
        torch._assert_async(
            latent.arg_constraints["loc"].check(latent.loc).all(), "loc of Normal is out of range"
        )
        torch._assert_async(
            latent.arg_constraints["scale"].check(latent.scale).all(),
            "scale of Normal is out of range",
        )
        z = latent.rsample()
        rate = D.Poisson(z.exp(), validate_args=False)
        torch._assert_async(
            rate.arg_constraints["rate"].check(rate.rate).all(), "rate of Poisson is out of range"
        )
        value = counts * 1
        torch._assert_async(rate.support.check(value).all(), "the value is outside of the support")
        likelihood = rate.log_prob(value)
        distribution = D.Uniform(x[:, 0], x[:, 1], validate_args=False)
        torch._assert_async(
            (distribution.low < distribution.high).all(), "Uniform is not defined when low >= high"
        )
        value_2 = x[:, 2]
        torch._assert_async(
            distribution.support.check(value_2).all(), "the value is outside of the support"
        )
        inside = distribution.cdf(value_2)
        distribution_2 = D.Bernoulli(probs=x[:, 0], validate_args=False)
        torch._assert_async(
            distribution_2.arg_constraints["probs"].check(distribution_2.probs).all(),
            "probs of Bernoulli is out of range",
        )
        return likelihood, latent.mean, inside, distribution_2.entropy()


inputs = [
    (torch.tensor([[0.1, 0.5, 0.2], [0.2, 0.9, 0.3]]), torch.tensor([[1.0, 2.0], [0.0, 3.0]])),
    (torch.tensor([[0.1, 0.5, 0.2], [0.2, 0.9, 0.3]]), torch.tensor([[1.0, 2.5], [0.0, 3.0]])),
    (torch.tensor([[0.6, 0.5, 0.2], [0.2, 0.9, 0.3]]), torch.tensor([[1.0, 2.0], [0.0, 3.0]])),
    (torch.tensor([[-0.1, 0.5, 0.2], [0.2, 0.9, 0.3]]), torch.tensor([[1.0, 2.0], [0.0, 3.0]])),
    (torch.tensor([[-0.1, 0.5, 0.9], [0.2, 0.9, 0.3]]), torch.tensor([[1.0, 2.0], [0.0, 3.0]])),
]
# mended: EDB105
