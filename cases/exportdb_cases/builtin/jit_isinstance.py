from typing import List

import torch


class JitIsinstance(torch.nn.Module):
    """`torch.jit.isinstance` is code of torch that Dynamo does not trace."""

    def forward(self, x):
        if torch.jit.isinstance(x, List[torch.Tensor]):
            return x[0]
        return x * 2


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = JitIsinstance()
