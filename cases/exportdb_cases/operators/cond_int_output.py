import torch


class CondIntOutput(torch.nn.Module):
    """Branches of `torch.cond` that return Python ints."""

    def forward(self, x):
        n = torch.cond(x.sum() > 0, lambda x: 2, lambda x: 3, (x,))
        return x * n


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondIntOutput()
twin = "cond_float_output_ok"
