import torch


class RoundNamed(torch.nn.Module):
    """`round` of a size under a named Dim: the slice's bound needs more than the Dim promises."""

    def forward(self, x):
        return x[: round(x.shape[0] / 2)]


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = RoundNamed()
twin = "round_dynamic_ok"
exportdb_case = "dynamic_shape_round"
