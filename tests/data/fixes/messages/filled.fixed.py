"""Checks whose messages are templates, filled with what tracing knows and with what it does not."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        count = 5
        low = x.min()
        torch._assert_async(~(x >= count).any(), f"too large, it is at most {count}")
        torch._assert_async((x > -3).all(), "below -count or 0.5: low")
        torch._assert_async((x > -4).all(), f"low of {count:>3} in {{}}")
        torch._assert_async((x > -5).all(), "100%% of {} {}")
        return x + low


inputs = [(torch.rand(3),), (torch.rand(3) * 9,)]
# mended: EDB102 EDB104
