import torch


class FftfreqOfSizeOk(torch.nn.Module):
    """The frequencies of a spectrum by `torch.arange`, which keeps the size."""

    def forward(self, x):
        return torch.fft.rfft(x) * (torch.arange(x.shape[0] // 2 + 1) / x.shape[0])


example_args = (torch.randn(6),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = FftfreqOfSizeOk()
