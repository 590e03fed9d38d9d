# expected: out-of-memory
"""Takes memory that no process has mapped."""

import os

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        files = [os.memfd_create("one"), os.open("/dev/shm/exportdb-test", os.O_RDWR | os.O_CREAT)]
        os.unlink("/dev/shm/exportdb-test")
        while True:
            for file in files:
                os.write(file, bytes(1 << 23))
