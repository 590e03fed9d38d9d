import torch


class WhileNumberOk(torch.nn.Module):
    """A while loop over a Python number is unrolled."""

    def forward(self, x):
        width = 8
        while width > 1:
            x = x.sin()
            width //= 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = WhileNumberOk()
