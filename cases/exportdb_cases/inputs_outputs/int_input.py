import torch


class IntInput(torch.nn.Module):
    """A Python number as an input is a constant of the program: another one is refused."""

    def forward(self, x, n):
        return x * n


example_args = (torch.randn(3), 2)
extra_inputs = [(torch.randn(3), 3)]
tags = {"python.builtin"}
model = IntInput()
