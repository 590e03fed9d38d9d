# expected: ok
"""Leaves a daemon behind: forked twice, in a session of its own, deaf to signals."""

import os
import signal
import time

from torch import nn

if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(900)
    os._exit(0)


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return x + 1
