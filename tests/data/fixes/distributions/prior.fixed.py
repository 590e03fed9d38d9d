"""A flow whose prior is a distribution that the constructor makes: `log_prob` validates what it is called with."""

import torch
from torch import distributions as D
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.prior = D.Independent(D.Normal(torch.zeros(3), torch.ones(3), validate_args=False), 1)
        self.squashed = D.TransformedDistribution(
            D.Normal(0.0, 1.0, validate_args=False), [D.SigmoidTransform()], validate_args=False
        )

    def forward(self, x):
        z = self.layer(x)
        return self.prior.log_prob(z), self.squashed.log_prob(z.sigmoid())


inputs = [(torch.linspace(0, 1, 12).view(4, 3),), (torch.linspace(1, -3, 12).view(4, 3),)]
# mended: EDB105
