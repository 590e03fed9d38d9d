import torch


class JitIsinstanceOk(torch.nn.Module):
    """The builtin is evaluated while tracing."""

    def forward(self, x):
        if isinstance(x, list):
            return x[0]
        return x * 2


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = JitIsinstanceOk()
