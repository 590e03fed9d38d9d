import torch


class IrfftNamedOk(torch.nn.Module):
    """The length is declared as an even number."""

    def forward(self, x):
        frequencies = torch.fft.rfft(x)
        return torch.fft.irfft(frequencies * frequencies.abs(), n=x.shape[1])


example_args = (torch.randn(2, 16),)
dynamic_shapes = {"x": {1: 2 * torch.export.Dim("half", min=2)}}
tags = {"torch.dynamic-shape"}
model = IrfftNamedOk()
