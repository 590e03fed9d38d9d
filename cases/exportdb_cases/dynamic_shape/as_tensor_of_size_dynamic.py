import torch


class AsTensorOfSizeDynamic(torch.nn.Module):
    """`torch.as_tensor(n)` reads the number, where `torch.tensor(n)` keeps it, under `Dim.DYNAMIC`."""

    def forward(self, x):
        return x / torch.as_tensor(x.shape[0])


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = AsTensorOfSizeDynamic()
twin = "as_tensor_of_size_ok"
