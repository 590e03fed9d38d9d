import torch


class ShapeBranchStaticOk(torch.nn.Module):
    """A branch on a size that nobody asked to be dynamic is decided while tracing."""

    def forward(self, x):
        if x.shape[0] > 5:
            return x.sin()
        return x.cos()


example_args = (torch.randn(8, 2),)
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeBranchStaticOk()
exportdb_case = "dynamic_shape_if_guard"
