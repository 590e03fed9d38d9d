import torch


class WhereOneArgumentOk(torch.nn.Module):
    """One-argument `torch.where` gives index tensors of unbacked size."""

    def forward(self, x):
        (rows,) = torch.where(x > 0)
        return x.index_select(0, rows)


example_args = (torch.randn(4),)
tags = {"torch.dynamic-value"}
model = WhereOneArgumentOk()
