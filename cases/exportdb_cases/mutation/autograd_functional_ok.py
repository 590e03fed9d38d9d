import torch


class AutogradFunctionalOk(torch.nn.Module):
    """The derivative is written out."""

    def forward(self, x):
        return x.cos()


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = AutogradFunctionalOk()
