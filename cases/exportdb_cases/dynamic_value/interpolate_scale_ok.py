import torch


class InterpolateScaleOk(torch.nn.Module):
    """`F.interpolate` by a factor that is a setting."""

    def forward(self, x):
        return torch.nn.functional.interpolate(x, scale_factor=2.0)


example_args = (torch.randn(1, 1, 4, 4),)
tags = {"torch.dynamic-value"}
model = InterpolateScaleOk()
