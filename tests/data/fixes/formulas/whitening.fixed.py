"""Features that are whitened by their covariance, and how the channels hang together."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, channels=3):
        super().__init__()
        self.project = nn.Linear(channels, channels)

    def forward(self, x):
        rows = self.project(x)
        rows_2 = torch.atleast_2d(rows.T)
        centred = rows_2 - rows_2.sum(1, keepdim=True) / rows_2.shape[1]
        covariance = (centred @ centred.H / rows_2.shape[1]).squeeze()
        # The same channels, each with itself on the diagonal.
        rows_3 = torch.atleast_2d(rows.T)
        centred_2 = rows_3 - rows_3.sum(1, keepdim=True) / rows_3.shape[1]
        covariance_2 = centred_2 @ centred_2.H / max(rows_3.shape[1] - 1, 0)
        deviation = covariance_2.diagonal().sqrt()
        together = (
            covariance_2 / deviation.unsqueeze(1) / deviation
        ).clip(-1, 1).squeeze()
        eye = torch.eye(covariance.shape[0])
        whitened = rows @ torch.linalg.inv(covariance + 0.1 * eye)
        rows_4 = torch.atleast_2d(x[:, 0])
        centred_3 = rows_4 - rows_4.sum(1, keepdim=True) / rows_4.shape[1]
        return whitened, together, (
            centred_3 @ centred_3.H / max(rows_4.shape[1] - 1, 0)
        ).squeeze()


inputs = [
    (torch.linspace(-2, 3, 15).view(5, 3).sin(),),
    (torch.linspace(4, -1, 15).view(5, 3).cos(),),
    (torch.ones(5, 3),),
]
# mended: EDB209
