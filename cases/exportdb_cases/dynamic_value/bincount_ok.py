import torch


class BincountOk(torch.nn.Module):
    """`bincount` gives a tensor of unbacked size."""

    def forward(self, x):
        return torch.bincount(x, minlength=3) + 1


example_args = (torch.tensor([0, 1, 2, 1]),)
tags = {"torch.dynamic-value"}
model = BincountOk()
