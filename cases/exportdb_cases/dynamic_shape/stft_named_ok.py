import torch


class StftNamedOk(torch.nn.Module):
    """A spectrogram of a whole number of hops."""

    def forward(self, x):
        return x.stft(16, 4, window=torch.ones(16), return_complex=True).abs()


example_args = (torch.randn(2, 64),)
dynamic_shapes = {"x": {1: 4 * torch.export.Dim("hops", min=8, max=1024)}}
tags = {"torch.dynamic-shape"}
model = StftNamedOk()
