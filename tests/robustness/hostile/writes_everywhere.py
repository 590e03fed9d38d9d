# expected: ok
"""Writes rubbish, and the beginning of a message, to every descriptor."""

import os
import struct

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        for descriptor in range(256):
            try:  # noqa: SIM105
                os.write(descriptor, struct.pack(">I", 17) + b'{"part": "done"}' + os.urandom(999))
            except OSError:
                pass
        return x + 1
