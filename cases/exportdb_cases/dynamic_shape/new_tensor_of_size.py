import torch


class NewTensorOfSize(torch.nn.Module):
    """`new_tensor` of a size: non-strict export reads the size as a number."""

    def forward(self, x):
        return x / x.new_tensor([x.shape[0], x.shape[0] + 1])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = NewTensorOfSize()
twin = "as_tensor_of_size_ok"
