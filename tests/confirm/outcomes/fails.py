# expected: non-strict fails, strict fails
"""The value of a tensor decides which way Python goes; so does that of another one, further on."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:  # here
            x = x + 1
        if x.mean() > 1:
            x = x * 2
        return x


model = Net()
example_args = (torch.randn(2, 3),)
