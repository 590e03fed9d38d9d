import torch


class IrfftNamed(torch.nn.Module):
    """A signal is filtered by its frequencies under a named Dim: export does not see that twice their number is a multiple of it."""

    def forward(self, x):
        frequencies = torch.fft.rfft(x)
        return torch.fft.irfft(frequencies * frequencies.abs(), n=x.shape[1])


example_args = (torch.randn(2, 16),)
dynamic_shapes = {"x": {1: torch.export.Dim("length")}}
tags = {"torch.dynamic-shape"}
model = IrfftNamed()
