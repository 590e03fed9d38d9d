import torch


class CheckThenSizeOk(torch.nn.Module):
    """`torch._check` on a size that depends on data decides the branches behind it."""

    def forward(self, x):
        chosen = x[x > 0]
        torch._check(chosen.shape[0] > 0)
        if chosen.shape[0] == 0:
            return x.sum()
        return chosen.sum()


example_args = (torch.randn(6),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = CheckThenSizeOk()
