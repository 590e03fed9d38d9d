import torch


class IsinstanceGuard(torch.nn.Module):
    """A size that is dynamic is no `int` while tracing: a check of its type raises, as a runtime type checker does."""

    def positions(self, n):
        if not isinstance(n, int):
            raise TypeError("n must be an int")
        return torch.arange(n)

    def forward(self, x):
        return x + self.positions(x.shape[0])[:, None]


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = IsinstanceGuard()
twin = "isinstance_guard_ok"
