import torch


class ShapeRaiseOk(torch.nn.Module):
    """A raise that is guarded by a static shape is decided while tracing."""

    def forward(self, x):
        if x.shape[1] != 2:
            raise ValueError(f"two columns are needed, not {x.shape[1]}")
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-shape"}
model = ShapeRaiseOk()
