import torch


class IsinstanceGuardOk(torch.nn.Module):
    """A check of a type that allows `torch.SymInt` too."""

    def positions(self, n):
        if not isinstance(n, (int, torch.SymInt)):
            raise TypeError("n must be an int")
        return torch.arange(n)

    def forward(self, x):
        return x + self.positions(x.shape[0])[:, None]


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = IsinstanceGuardOk()
