import torch


class StrOutputOk(torch.nn.Module):
    """A string as an output is a constant of the program."""

    def forward(self, x):
        return x.sin(), "sine"


example_args = (torch.randn(3),)
tags = {"python.builtin"}
model = StrOutputOk()
