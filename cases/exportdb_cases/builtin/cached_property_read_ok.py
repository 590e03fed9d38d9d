import torch


class CachedPropertyReadOk(torch.nn.Module):
    """A property is a function like any other."""

    @property
    def steps(self):
        return torch.arange(2.0)

    def forward(self, x):
        return x + self.steps


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = CachedPropertyReadOk()
