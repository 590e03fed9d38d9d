import torch


class RandomUnusedOk(torch.nn.Module):
    """A random choice between equal things leaves no trace of it in the result."""

    def forward(self, x):
        return torch.nn.functional.dropout(x, 0.5)


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = RandomUnusedOk()
