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
        chosen = D.Categorical(logits=scores).log_prob(action)
        coin = D.Bernoulli(probs=scores[:, 0].sigmoid()).log_prob((action > 0).float())
        wait = D.Exponential(rate=scores[:, 1] + 1)
        return chosen, coin, wait.mean, wait.cdf(x[:, 0])


inputs = [
    (torch.linspace(0, 1, 12).view(4, 3), torch.tensor([0, 1, 1, 0])),
    (torch.linspace(1, 0, 12).view(4, 3), torch.tensor([0, 0, 0, 1])),
    (torch.linspace(1, 0, 12).view(4, 3), torch.tensor([0, 0, 2, 1])),
    (torch.linspace(-1, 0, 12).view(4, 3), torch.tensor([0, 0, 0, 1])),
    (torch.linspace(50, 60, 12).view(4, 3), torch.tensor([0, 0, 0, 1])),
]
# mended: EDB105
