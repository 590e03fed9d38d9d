# expected: timeout
"""Stops the process that keeps its time, and goes on for ever."""

import os
import signal
import time

import torch


# exportdb: args=(torch.ones(2),)
class Net(torch.nn.Module):
    def forward(self, x):
        if not torch.compiler.is_compiling():
            os.kill(os.getppid(), signal.SIGSTOP)
            time.sleep(600)
        return x + 1
