import torch


class FftfreqOfSizeDynamic(torch.nn.Module):
    """The frequencies of a spectrum under `Dim.DYNAMIC`."""

    def forward(self, x):
        return torch.fft.rfft(x) * torch.fft.rfftfreq(x.shape[0])


example_args = (torch.randn(6),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = FftfreqOfSizeDynamic()
twin = "fftfreq_of_size_ok"
