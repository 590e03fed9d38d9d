import torch


class FixedReshape(torch.nn.Module):
    """A reshape with the batch size written in."""

    def forward(self, x):
        return x.reshape(8, 6).sin()


example_args = (torch.randn(8, 2, 3),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = FixedReshape()
issues = ("https://github.com/pytorch/pytorch/issues/151094",)
