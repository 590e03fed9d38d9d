import torch


class IdUnusedOk(torch.nn.Module):
    """`id(x)` that reaches no tensor and no result disturbs nothing."""

    def forward(self, x):
        seen = {id(x)}
        y = x.sin()
        if id(y) in seen:
            return x
        return y


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = IdUnusedOk()
