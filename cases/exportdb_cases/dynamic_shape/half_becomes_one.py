import torch


class HalfBecomesOne(torch.nn.Module):
    """A size whose half is 1 is refused: 0 and 1 are set apart, also in what is computed from a size."""

    def forward(self, x):
        return x[: x.shape[0] // 2]


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = HalfBecomesOne()
twin = "floor_division_dynamic_ok"
