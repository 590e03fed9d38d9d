import torch


class LinspaceOfSizeOk(torch.nn.Module):
    """Equal steps, by `torch.arange`."""

    def forward(self, x):
        return torch.arange(x.shape[0]) / (x.shape[0] - 1) * x


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = LinspaceOfSizeOk()
