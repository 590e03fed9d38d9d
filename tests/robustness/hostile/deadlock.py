# expected: timeout
"""Waits for a lock that it holds, and tries to stop the watchdog first."""

import faulthandler
import threading

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        faulthandler.cancel_dump_traceback_later()
        faulthandler.disable()
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()
        return x
