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
        policy = distributions.Normal(self.mean(x), self.spread(x) + 2)
        # How likely was what was done?
        score = policy.log_prob(action).sum(-1)
        choice = Categorical(logits=x).log_prob(option)
        prior = torch.distributions.Normal(torch.zeros_like(action), 1.0)
        return score + choice, policy.entropy(), torch.distributions.kl_divergence(policy, prior)


inputs = [
    (torch.linspace(-1, 1, 12).view(4, 3), torch.ones(4, 2), torch.tensor([0, 1, 2, 0])),
    (torch.linspace(1, 0, 12).view(4, 3), torch.zeros(4, 2), torch.tensor([0, 0, 0, 1])),
    (torch.full((4, 3), 50.0), torch.zeros(4, 2), torch.tensor([0, 0, 0, 1])),
    (torch.ones(4, 3), torch.full((4, 2), float("nan")), torch.tensor([0, 0, 0, 1])),
    (torch.ones(4, 3), torch.zeros(4, 2), torch.tensor([0, 0, 3, 1])),
]
# mended: EDB105
