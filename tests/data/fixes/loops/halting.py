import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(4, 4)
        self.halt = nn.Linear(4, 1)

    def forward(self, x):
        halting = torch.zeros(x.shape[0])
        n = 0
        # Until every row has halted, or is out of steps.
        while (halting < 0.99).any() and n < 8:
            x = torch.tanh(self.cell(x))
            halting = halting + self.halt(x).sigmoid().squeeze(-1)
            n += 1
        return x, halting


model = Net()
example_args = (torch.randn(3, 4),)
inputs = [(torch.randn(3, 4),), (torch.randn(3, 4) * 9,), (torch.zeros(3, 4),)]
# mended: EDB101
