import torch


class LeastSquaresOk(torch.nn.Module):
    """For a matrix of full rank the same, by the pseudo-inverse."""

    def forward(self, x, y):
        return torch.linalg.pinv(x) @ y


example_args = (torch.randn(5, 2), torch.randn(5, 1))
tags = {"torch.dynamic-value"}
model = LeastSquaresOk()
