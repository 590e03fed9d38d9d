import torch


class TorchAssertSizeAuto(torch.nn.Module):
    """`torch._assert` that a dynamic size is what the module was made for freezes the size."""

    def __init__(self):
        super().__init__()
        self.height = 8

    def forward(self, x):
        torch._assert(x.shape[0] == self.height, "the height is not that of the model")
        return x.sin()


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.assert"}
model = TorchAssertSizeAuto()
twin = "torch_assert_shape_ok"
