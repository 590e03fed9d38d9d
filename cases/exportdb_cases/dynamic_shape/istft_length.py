import torch


class IstftLength(torch.nn.Module):
    """A signal is cut to the length of another by `istft`, which takes a plain int."""

    def forward(self, x):
        window = torch.hann_window(16)
        spectrum = torch.stft(x, 16, 4, window=window, return_complex=True)
        return torch.istft(spectrum, 16, 4, window=window, length=x.shape[1])


example_args = (torch.randn(2, 64),)
dynamic_shapes = {"x": {1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = IstftLength()
