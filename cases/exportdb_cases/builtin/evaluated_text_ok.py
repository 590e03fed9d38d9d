import torch


class EvaluatedTextOk(torch.nn.Module):
    """A name is looked up instead of run."""

    def __init__(self):
        super().__init__()
        self.name = "sin"

    def forward(self, x):
        return getattr(torch, self.name)(x)


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = EvaluatedTextOk()
