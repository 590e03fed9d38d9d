import torch


class PlainNumberRemainder(torch.nn.Module):
    """A number that another operator makes of a tensor which the constructor made: non-strict export does not remember it."""

    def __init__(self):
        super().__init__()
        self.count = torch.tensor(5)

    def forward(self, x):
        return x[:, : int(self.count % 4)]


example_args = (torch.randn(2, 8),)
tags = {"torch.dynamic-value"}
model = PlainNumberRemainder()
twin = "plain_number_sum_ok"
