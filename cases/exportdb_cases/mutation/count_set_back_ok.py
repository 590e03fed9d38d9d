import torch


class CountSetBackOk(torch.nn.Module):
    """A count that `forward` sets back at its end to what the constructor gave it: each call begins as the first one did."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x):
        for row in x.unbind():
            x = x + row * self.count
            self.count += 1
        self.count = 0
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = CountSetBackOk()
