import torch


class NonzeroOk(torch.nn.Module):
    """`nonzero` gives a tensor of unbacked size, which most operators take."""

    def forward(self, x):
        return x.nonzero() * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NonzeroOk()
