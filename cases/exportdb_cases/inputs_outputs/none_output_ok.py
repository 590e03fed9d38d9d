import torch


class NoneOutputOk(torch.nn.Module):
    """None as an output is a constant of the program."""

    def forward(self, x):
        return x.sin(), None


example_args = (torch.randn(3),)
tags = {"python.builtin"}
model = NoneOutputOk()
