import torch


class NewTensorOfSizeDynamic(torch.nn.Module):
    """`new_tensor` of a size under `Dim.DYNAMIC`."""

    def forward(self, x):
        return x / x.new_tensor([x.shape[0], x.shape[0] + 1])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = NewTensorOfSizeDynamic()
twin = "as_tensor_of_size_ok"
