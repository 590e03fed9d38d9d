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
        latent = D.Normal(mean, mean.square() + 0.1)
        z = latent.rsample()
        rate = D.Poisson(z.exp())
        likelihood = rate.log_prob(counts * 1)
        inside = D.Uniform(x[:, 0], x[:, 1]).cdf(x[:, 2])
        return likelihood, latent.mean, inside, D.Bernoulli(probs=x[:, 0]).entropy()


inputs = [
    (torch.tensor([[0.1, 0.5, 0.2], [0.2, 0.9, 0.3]]), torch.tensor([[1.0, 2.0], [0.0, 3.0]])),
    (torch.tensor([[0.1, 0.5, 0.2], [0.2, 0.9, 0.3]]), torch.tensor([[1.0, 2.5], [0.0, 3.0]])),
    (torch.tensor([[0.6, 0.5, 0.2], [0.2, 0.9, 0.3]]), torch.tensor([[1.0, 2.0], [0.0, 3.0]])),
    (torch.tensor([[-0.1, 0.5, 0.2], [0.2, 0.9, 0.3]]), torch.tensor([[1.0, 2.0], [0.0, 3.0]])),
    (torch.tensor([[-0.1, 0.5, 0.9], [0.2, 0.9, 0.3]]), torch.tensor([[1.0, 2.0], [0.0, 3.0]])),
]
# mended: EDB105
