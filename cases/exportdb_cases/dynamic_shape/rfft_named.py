import torch


class RfftNamed(torch.nn.Module):
    """Frequencies along a dimension that is not the last one, under a named Dim: that `n // 2 + 1 <= n` is a guard."""

    def forward(self, x):
        return torch.fft.rfft(x, dim=1).abs()


example_args = (torch.randn(2, 16, 3),)
dynamic_shapes = {"x": {1: torch.export.Dim("length")}}
tags = {"torch.dynamic-shape"}
model = RfftNamed()
twin = "rfft_named_ok"
