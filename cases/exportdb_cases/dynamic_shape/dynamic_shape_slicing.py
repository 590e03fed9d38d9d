import torch


class DynamicShapeSlicing(torch.nn.Module):
    """Slices with computed bounds and steps."""

    def forward(self, x):
        return x[: x.shape[0] - 2, x.shape[1] - 1 :: 2]


example_args = (torch.randn(5, 2),)
tags = {"torch.dynamic-shape"}
model = DynamicShapeSlicing()
exportdb_case = "dynamic_shape_slicing"
