import torch


class ViewWrittenBySizeOk(torch.nn.Module):
    """A number from data that was the size of a tensor before is not negative: a slice up to it may be written."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(6, 4))

    def forward(self, x, n):
        k = n.item()
        ones = torch.ones(k, 4)
        y = x * self.weight
        y[:k] += ones
        return y


example_args = (torch.randn(6, 4), torch.tensor(2))
tags = {"torch.dynamic-value"}
model = ViewWrittenBySizeOk()
