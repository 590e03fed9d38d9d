import gc

import torch


class GarbageCollect(torch.nn.Module):
    """Functions of the standard library that do something to the process: strict export will not trace them."""

    def forward(self, x):
        y = x.sin()
        gc.collect()
        return y


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = GarbageCollect()
twin = "is_exporting_guard_ok"
