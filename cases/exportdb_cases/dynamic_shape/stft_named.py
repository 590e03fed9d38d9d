import torch


class StftNamed(torch.nn.Module):
    """A spectrogram of any number of samples: the windows are cut out by strides, which are proven for whole hops only."""

    def forward(self, x):
        return x.stft(16, 4, window=torch.ones(16), return_complex=True).abs()


example_args = (torch.randn(2, 64),)
dynamic_shapes = {"x": {1: torch.export.Dim("samples", min=32, max=4096)}}
tags = {"torch.dynamic-shape"}
model = StftNamed()
