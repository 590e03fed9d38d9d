import torch


class MaskFillOk(torch.nn.Module):
    """A mask made by comparing positions with the bound."""

    def forward(self, x, n):
        return x.masked_fill(torch.arange(x.shape[0]) < n, 0.0)


example_args = (torch.randn(8), torch.tensor(4))
tags = {"torch.mutation", "torch.dynamic-value"}
model = MaskFillOk()
