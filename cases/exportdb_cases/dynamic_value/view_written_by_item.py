import torch


class ViewWrittenByItem(torch.nn.Module):
    """A slice that begins at a number from data is written, of a tensor that requires grad."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x, n):
        k = n.item()
        y = torch.zeros(6, 4)
        y[k : k + 2] = self.linear(x)
        return y


example_args = (torch.randn(2, 4), torch.tensor(1))
tags = {"torch.dynamic-value"}
model = ViewWrittenByItem()
