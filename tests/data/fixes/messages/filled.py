"""Checks whose messages are templates, filled with what tracing knows and with what it does not."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        count = 5
        low = x.min()
        if (x >= count).any():
            raise ValueError("too large, it is at most {}".format(count))
        assert (x > -3).all(), "below %d or %.2f: %s" % (-count, 0.5, low)
        assert (x > -4).all(), "{low} of {0:>3} in {{}}".format(count, low=low)
        assert (x > -5).all(), "100%% of {} {}".format(low)
        return x + low


inputs = [(torch.rand(3),), (torch.rand(3) * 9,)]
# mended: EDB102 EDB104
