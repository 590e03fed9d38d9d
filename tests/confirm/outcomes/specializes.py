# expected: non-strict specializes, strict specializes
"""The program serves one value of a number only."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, times: int):
        return x * times


model = Net()
example_args = (torch.ones(2, 3), 2)
extra_inputs = [(torch.ones(2, 3), 3)]
