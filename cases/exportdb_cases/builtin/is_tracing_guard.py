import torch


class IsTracingGuard(torch.nn.Module):
    """`torch.jit.is_tracing()` is about the old tracer: export does not set it."""

    def forward(self, x):
        if not torch.jit.is_tracing() and x.isnan().any():
            raise ValueError("x has NaN")
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.escape-hatch"}
model = IsTracingGuard()
twin = "is_exporting_guard_ok"
