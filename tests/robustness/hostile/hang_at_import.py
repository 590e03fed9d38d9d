# expected: timeout
"""Never comes back from its import."""

import time

from torch import nn

time.sleep(10**6)


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return x
