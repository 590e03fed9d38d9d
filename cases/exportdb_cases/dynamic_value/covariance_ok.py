import torch


class CovarianceOk(torch.nn.Module):
    """The same, by a matrix product."""

    def forward(self, x):
        centred = x - x.mean(1, keepdim=True)
        return centred @ centred.T / (x.shape[1] - 1)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = CovarianceOk()
