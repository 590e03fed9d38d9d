import torch


class IstftLengthOk(torch.nn.Module):
    """The signal is as long as its frames make it."""

    def forward(self, x):
        window = torch.hann_window(16)
        spectrum = torch.stft(x, 16, 4, window=window, return_complex=True)
        return torch.istft(spectrum, 16, 4, window=window)


example_args = (torch.randn(2, 64),)
dynamic_shapes = {"x": {1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = IstftLengthOk()
