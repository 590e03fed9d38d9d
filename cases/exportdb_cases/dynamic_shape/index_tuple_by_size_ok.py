import torch


class IndexTupleBySizeOk(torch.nn.Module):
    """What lies at a size is selected, and written, by itself."""

    def forward(self, x):
        marked = torch.zeros_like(x)
        marked.select(1, x.shape[1] - 1).fill_(1.0)
        return x.select(1, x.shape[1] - 1).sin(), x + marked


example_args = (torch.randn(3, 5),)
dynamic_shapes = {"x": {1: torch.export.Dim("columns")}}
tags = {"torch.dynamic-shape"}
model = IndexTupleBySizeOk()
