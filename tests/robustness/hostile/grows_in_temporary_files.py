# expected: out-of-memory
"""Fills the folder for temporary files, which is memory on many machines."""

import tempfile

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        while True:
            with tempfile.NamedTemporaryFile(delete=False) as file:
                file.write(bytes(1 << 24))
