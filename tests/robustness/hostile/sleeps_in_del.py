# expected: ok
"""Takes its time to go."""

import time

from torch import nn


class Slow:
    def __del__(self):
        time.sleep(900)


kept = Slow()


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return x + 1
