import torch


class Net(torch.nn.Module):
    """Two totals in a list."""

    def __init__(self):
        super().__init__()
        self.totals = [torch.zeros(3), torch.zeros(3)]

    def forward(self, x):
        self.totals[0] = self.totals[0] + x.sum(0)
        self.totals[1] = self.totals[1] + self.totals[0]
        return x + self.totals[0] - self.totals[1]


model = Net()
example_args = (torch.ones(2, 3),)
inputs = [(torch.ones(2, 3),), (torch.ones(2, 3) * 2,), (torch.ones(2, 3),)]
# refused: 12 state-in-container, 13 state-in-container
