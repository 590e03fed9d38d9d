"""Features that are whitened by their covariance, and how the channels hang together."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, channels=3):
        super().__init__()
        self.project = nn.Linear(channels, channels)

    def forward(self, x):
        rows = self.project(x)
        covariance = torch.cov(rows.T, correction=0)
        # The same channels, each with itself on the diagonal.
        together = rows.T.corrcoef()
        eye = torch.eye(covariance.shape[0])
        whitened = rows @ torch.linalg.inv(covariance + 0.1 * eye)
        return whitened, together, x[:, 0].cov()


inputs = [
    (torch.linspace(-2, 3, 15).view(5, 3).sin(),),
    (torch.linspace(4, -1, 15).view(5, 3).cos(),),
    (torch.ones(5, 3),),
]
# refused: 14 reads-data, 16 reads-data, 19 reads-data
