import torch


class CompileInside(torch.nn.Module):
    """A function under `torch.compile` is called from forward."""

    def __init__(self):
        super().__init__()
        self.scaled = torch.compile(lambda x: x * 2, backend="eager")

    def forward(self, x):
        return self.scaled(x) + 1


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = CompileInside()
