import torch


class DerivedMinimumNeeded(torch.nn.Module):
    """A size that a derived Dim allows to be 1 is used by an operator."""

    def forward(self, x):
        return x.view(2, -1, 2).transpose(1, 2).contiguous()


example_args = (torch.randn(2, 8),)
half = torch.export.Dim("half", min=1, max=16)
dynamic_shapes = {"x": {1: 2 * half}}
tags = {"torch.dynamic-shape"}
model = DerivedMinimumNeeded()
