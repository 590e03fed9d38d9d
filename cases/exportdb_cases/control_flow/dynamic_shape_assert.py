import torch


class DynamicShapeAssert(torch.nn.Module):
    """Asserts on sizes are decided while tracing, with and without a message."""

    def forward(self, x):
        assert x.shape[0] > 2, "more than two rows are needed"
        assert x.shape[1] > 1
        return x * 2


example_args = (torch.randn(3, 2),)
tags = {"python.assert", "torch.dynamic-shape"}
model = DynamicShapeAssert()
exportdb_case = "dynamic_shape_assert"
