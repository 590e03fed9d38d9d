# expected: out-of-memory
"""Has other processes ask for the memory, each for a part of it."""

import os
import time

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        for _ in range(4):
            if os.fork() == 0:
                held = bytearray(b"x" * 600_000_000)
                time.sleep(900)
                os._exit(len(held) % 2)
        time.sleep(900)
        return x
