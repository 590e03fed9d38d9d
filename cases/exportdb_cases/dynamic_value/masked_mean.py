import torch


class MaskedMean(torch.nn.Module):
    """A mean of each row that a mask took: there are as many as data decides, and a branch asks for their number."""

    def forward(self, x):
        means = x[x[:, 0] > 0].mean(1)
        if means.shape[0] == 2:
            return means * 2
        return x.mean(1)


example_args = (torch.randn(4, 2),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = MaskedMean()
