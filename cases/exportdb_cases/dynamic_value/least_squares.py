import torch


class LeastSquares(torch.nn.Module):
    """`torch.linalg.lstsq` gives residuals whose shape depends on the rank of the matrix."""

    def forward(self, x, y):
        return torch.linalg.lstsq(x, y).solution


example_args = (torch.randn(5, 2), torch.randn(5, 1))
tags = {"torch.dynamic-value"}
model = LeastSquares()
