import torch


class TensorOfSize(torch.nn.Module):
    """`torch.tensor(n)` of a size."""

    def forward(self, x):
        return x.sum(0) / torch.tensor(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = TensorOfSize()
twin = "len_of_tensor_ok"
