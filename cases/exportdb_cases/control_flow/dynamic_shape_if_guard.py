import torch


class DynamicShapeIfGuard(torch.nn.Module):
    """A branch on a size is decided by the example and guarded."""

    def forward(self, x):
        if x.shape[0] == 3:
            return x.cos()
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-shape", "python.control-flow"}
model = DynamicShapeIfGuard()
exportdb_case = "dynamic_shape_if_guard"
