import torch


class MaskedMeanOk(torch.nn.Module):
    """The mean over the rows that a mask took has the columns of the input."""

    def forward(self, x):
        means = x[x[:, 0] > 0].mean(0)
        if means.shape[0] == 2:
            return means * 2
        return x.mean(0)


example_args = (torch.randn(4, 2),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = MaskedMeanOk()
