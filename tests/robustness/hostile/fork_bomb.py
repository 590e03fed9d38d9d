# expected: ok|timeout|crash
"""Each process starts two more, 6 deep, and all of them stay."""

import os
import time

from torch import nn


def spread(depth):
    for _ in range(2):
        if depth and os.fork() == 0:
            os.setsid()
            spread(depth - 1)
            time.sleep(900)
            os._exit(0)


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        spread(6)

    def forward(self, x):
        return x + 1
