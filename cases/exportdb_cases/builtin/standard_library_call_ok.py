import torch


class StandardLibraryCallOk(torch.nn.Module):
    """What Python's own builtins compute from sizes, strict export follows."""

    def forward(self, x):
        sizes = sorted(x.shape)
        return x.sin() * sizes[0]


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = StandardLibraryCallOk()
