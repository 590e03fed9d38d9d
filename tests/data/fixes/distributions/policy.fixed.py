"""A policy whose actions are judged: a Gaussian head, whose spread may come out negative, and a choice among options."""

import torch
from torch import distributions, nn
from torch.distributions import Categorical


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(3, 2)
        self.spread = nn.Linear(3, 2)

    def forward(self, x, action, option):
        policy = distributions.Normal(self.mean(x), self.spread(x) + 2, validate_args=False)
        torch._assert_async(policy.arg_constraints["loc"].check(policy.loc).all(), "loc of Normal is out of range")
        torch._assert_async(
            policy.arg_constraints["scale"].check(policy.scale).all(), "scale of Normal is out of range"
        )
        # How likely was what was done?
        torch._assert_async(policy.support.check(action).all(), "action is outside of the support")
        score = policy.log_prob(action).sum(-1)
        distribution = Categorical(logits=x, validate_args=False)
        torch._assert_async(
            distribution.arg_constraints["logits"].check(distribution.logits).all(),
            "logits of Categorical is out of range",
        )
        torch._assert_async(distribution.support.check(option).all(), "option is outside of the support")
        choice = distribution.log_prob(option)
        prior = torch.distributions.Normal(torch.zeros_like(action), 1.0, validate_args=False)
        torch._assert_async(prior.arg_constraints["loc"].check(prior.loc).all(), "loc of Normal is out of range")
        torch._assert_async(prior.arg_constraints["scale"].check(prior.scale).all(), "scale of Normal is out of range")
        return score + choice, policy.entropy(), torch.distributions.kl_divergence(policy, prior)


inputs = [
    (torch.linspace(-1, 1, 12).view(4, 3), torch.ones(4, 2), torch.tensor([0, 1, 2, 0])),
    (torch.linspace(1, 0, 12).view(4, 3), torch.zeros(4, 2), torch.tensor([0, 0, 0, 1])),
    (torch.full((4, 3), 50.0), torch.zeros(4, 2), torch.tensor([0, 0, 0, 1])),
    (torch.ones(4, 3), torch.full((4, 2), float("nan")), torch.tensor([0, 0, 0, 1])),
    (torch.ones(4, 3), torch.zeros(4, 2), torch.tensor([0, 0, 3, 1])),
]
# mended: EDB105
