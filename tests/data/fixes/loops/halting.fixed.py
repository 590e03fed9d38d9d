import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(4, 4)
        self.halt = nn.Linear(4, 1)

    def forward(self, x):
        halting = torch.zeros(x.shape[0])
        # Until every row has halted, or is out of steps.
        for _ in range(8):
            def true_branch(halting, x):
                x = torch.tanh(self.cell(x))
                halting = halting + self.halt(x).sigmoid().squeeze(-1)
                return halting, x

            def false_branch(halting, x):
                return halting.clone(), x.clone()

            halting, x = torch.cond(
                (halting < 0.99).any(), true_branch, false_branch, (halting, x)
            )
        return x, halting


model = Net()
example_args = (torch.randn(3, 4),)
inputs = [(torch.randn(3, 4),), (torch.randn(3, 4) * 9,), (torch.zeros(3, 4),)]
# mended: EDB101
