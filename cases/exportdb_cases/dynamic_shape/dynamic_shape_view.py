import torch


class DynamicShapeView(torch.nn.Module):
    """A view with computed sizes."""

    def forward(self, x):
        return x.view(*x.shape[:-1], 2, x.shape[-1] // 2).permute(0, 2, 1)


example_args = (torch.randn(5, 8),)
tags = {"torch.dynamic-shape"}
model = DynamicShapeView()
exportdb_case = "dynamic_shape_view"
