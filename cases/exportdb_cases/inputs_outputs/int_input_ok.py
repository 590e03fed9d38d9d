import torch


class IntInputOk(torch.nn.Module):
    """A number that may change goes in as a tensor."""

    def forward(self, x, n):
        return x * n


example_args = (torch.randn(3), torch.tensor(2))
tags = {"python.builtin"}
model = IntInputOk()
