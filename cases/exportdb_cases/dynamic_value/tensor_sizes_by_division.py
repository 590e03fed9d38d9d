import torch


class TensorSizesByDivision(torch.nn.Module):
    """`torch.div` of a dynamic size makes a tensor of it; a view by it must be compared with the other sizes."""

    def forward(self, x):
        heads = x.view(x.size(0), x.size(1), 2, 4).transpose(1, 2).reshape(x.size(0) * 2, x.size(1), 4)
        chunks = torch.div(heads.size(1), 4, rounding_mode="trunc")
        return heads.view(heads.size(0), chunks, 4, heads.size(2))


example_args = (torch.randn(2, 16, 8),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = TensorSizesByDivision()
