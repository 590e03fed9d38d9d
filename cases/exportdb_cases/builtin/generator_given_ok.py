import torch


class GeneratorGivenOk(torch.nn.Module):
    """torch's global generator, which `generator=None` stands for."""

    def forward(self, x):
        return x + 0 * torch.rand(3, 2, generator=None)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = GeneratorGivenOk()
