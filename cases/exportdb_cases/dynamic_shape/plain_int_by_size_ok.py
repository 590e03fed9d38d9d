import torch


class PlainIntBySizeOk(torch.nn.Module):
    """The stride of a pooling is a number of the model: the size stays symbolic."""

    def __init__(self):
        super().__init__()
        self.stride = 5

    def forward(self, x):
        return torch.nn.functional.avg_pool1d(x, kernel_size=2, stride=self.stride)


example_args = (torch.randn(5, 3, 20),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = PlainIntBySizeOk()
