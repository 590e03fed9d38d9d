"""A choice among actions from logits, and the odds of a coin, each by a distribution that is used at once."""

import torch
from torch import distributions as D
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 2)

    def forward(self, x, action):
        scores = self.head(x)
        distribution = D.Categorical(logits=scores, validate_args=False)
        torch._assert_async(
            distribution.arg_constraints["logits"].check(distribution.logits).all(),
            "logits of Categorical is out of range",
        )
        torch._assert_async(distribution.support.check(action).all(), "action is outside of the support")
        chosen = distribution.log_prob(action)
        distribution_2 = D.Bernoulli(probs=scores[:, 0].sigmoid(), validate_args=False)
        torch._assert_async(
            distribution_2.arg_constraints["probs"].check(distribution_2.probs).all(),
            "probs of Bernoulli is out of range",
        )
        value = (action > 0).float()
        torch._assert_async(distribution_2.support.check(value).all(), "the value is outside of the support")
        coin = distribution_2.log_prob(value)
        wait = D.Exponential(rate=scores[:, 1] + 1, validate_args=False)
        torch._assert_async(
            wait.arg_constraints["rate"].check(wait.rate).all(), "rate of Exponential is out of range"
        )
        value_2 = x[:, 0]
        torch._assert_async(wait.support.check(value_2).all(), "the value is outside of the support")
        return chosen, coin, wait.mean, wait.cdf(value_2)


inputs = [
    (torch.linspace(0, 1, 12).view(4, 3), torch.tensor([0, 1, 1, 0])),
    (torch.linspace(1, 0, 12).view(4, 3), torch.tensor([0, 0, 0, 1])),
    (torch.linspace(1, 0, 12).view(4, 3), torch.tensor([0, 0, 2, 1])),
    (torch.linspace(-1, 0, 12).view(4, 3), torch.tensor([0, 0, 0, 1])),
    (torch.linspace(50, 60, 12).view(4, 3), torch.tensor([0, 0, 0, 1])),
]
# mended: EDB105
