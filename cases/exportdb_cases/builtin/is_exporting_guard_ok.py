import torch


class IsExportingGuardOk(torch.nn.Module):
    """What `torch.compiler.is_compiling()` keeps from tracing cannot break it."""

    def forward(self, x):
        if not torch.compiler.is_compiling() and x.isnan().any():
            raise ValueError("x has NaN")
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.escape-hatch"}
model = IsExportingGuardOk()
