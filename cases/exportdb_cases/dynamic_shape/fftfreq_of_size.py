import torch


class FftfreqOfSize(torch.nn.Module):
    """The frequencies of a spectrum: export reads the size as a number."""

    def forward(self, x):
        return torch.fft.rfft(x) * torch.fft.rfftfreq(x.shape[0])


example_args = (torch.randn(6),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = FftfreqOfSize()
twin = "fftfreq_of_size_ok"
