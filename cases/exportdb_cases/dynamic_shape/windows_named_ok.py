import torch


class WindowsNamedOk(torch.nn.Module):
    """The named Dim is declared as a multiple of the window."""

    def forward(self, x):
        return x.unfold(1, 4, 4).mean(2)


example_args = (torch.randn(2, 12),)
extra_inputs = [(torch.randn(2, 16),)]
dynamic_shapes = {"x": {1: 4 * torch.export.Dim("windows", min=2)}}
tags = {"torch.dynamic-shape"}
model = WindowsNamedOk()
