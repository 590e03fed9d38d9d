import torch


class ShapeAssertOk(torch.nn.Module):
    """An assert on a static shape is decided while tracing."""

    def forward(self, x):
        assert x.shape[-1] == 2, f"two columns are needed, not {x.shape[-1]}"
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.assert", "torch.dynamic-shape"}
model = ShapeAssertOk()
exportdb_case = "dynamic_shape_assert"
