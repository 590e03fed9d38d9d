import torch


class NewTensorOfSizeNamed(torch.nn.Module):
    """`new_tensor` of a size under a named Dim."""

    def forward(self, x):
        return x / x.new_tensor([x.shape[0], x.shape[0] + 1])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = NewTensorOfSizeNamed()
twin = "as_tensor_of_size_ok"
