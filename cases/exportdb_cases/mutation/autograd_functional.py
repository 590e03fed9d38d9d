import torch


class AutogradFunctional(torch.nn.Module):
    """`torch.autograd.functional` runs autograd in traced code."""

    def forward(self, x):
        return torch.autograd.functional.jvp(torch.sin, x, torch.ones_like(x))[1]


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = AutogradFunctional()
