# expected: timeout
"""Is deaf to every signal that can be ignored, and hangs."""

import signal
import time

from torch import nn

for number in range(1, signal.NSIG):
    try:  # noqa: SIM105
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        time.sleep(900)
        return x
