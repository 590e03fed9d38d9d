# expected: ok
"""Starts threads that never end, and work for the end of the process."""

import atexit
import threading
import time

from torch import nn

for _ in range(8):
    threading.Thread(target=time.sleep, args=(900,)).start()
atexit.register(time.sleep, 900)


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return x + 1
