import torch


class GeneratorInForward(torch.nn.Module):
    """A generator made while tracing draws on in the exported program, where eager begins anew."""

    def forward(self, x):
        generator = torch.Generator().manual_seed(0)
        return x + torch.rand(3, 2, generator=generator)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = GeneratorInForward()
twin = "generator_given_ok"
