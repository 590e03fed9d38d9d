import torch


class RfftNamedOk(torch.nn.Module):
    """Frequencies along the last dimension, under a named Dim."""

    def forward(self, x):
        return torch.fft.rfft(x.transpose(1, 2)).abs()


example_args = (torch.randn(2, 16, 3),)
dynamic_shapes = {"x": {1: torch.export.Dim("length")}}
tags = {"torch.dynamic-shape"}
model = RfftNamedOk()
