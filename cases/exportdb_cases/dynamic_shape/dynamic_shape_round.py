import torch


class DynamicShapeRound(torch.nn.Module):
    """Rounding a size under a named Dim that the rounding's guards do not fit."""

    def forward(self, x):
        half = round(x.shape[0] / 2)
        return x[:half]


example_args = (torch.randn(3, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = DynamicShapeRound()
exportdb_case = "dynamic_shape_round"
twin = "round_dynamic_ok"
issues = ("https://github.com/pytorch/pytorch/issues/138852",)
