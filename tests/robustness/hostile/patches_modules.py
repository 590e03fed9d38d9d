# expected: ok
"""Puts its own functions into json, os and torch."""

import json
import os
import zlib

import torch
from torch import nn


def broken(*args, **kwargs):
    raise RuntimeError("patched")


json.dumps = json.loads = json.JSONEncoder.encode = broken
os.write = os.fstat = zlib.crc32 = broken
torch.export.export = broken


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return x + 1
