import torch


class FftfreqOfSizeNamed(torch.nn.Module):
    """The frequencies of a spectrum under a named Dim."""

    def forward(self, x):
        return torch.fft.rfft(x) * torch.fft.rfftfreq(x.shape[0])


example_args = (torch.randn(6),)
dynamic_shapes = {"x": {0: torch.export.Dim("n")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = FftfreqOfSizeNamed()
twin = "fftfreq_of_size_ok"
