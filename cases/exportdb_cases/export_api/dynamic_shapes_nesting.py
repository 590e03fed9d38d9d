import torch


class DynamicShapesNesting(torch.nn.Module):
    """`dynamic_shapes` must be nested as the inputs are: a list of tensors has a list of entries."""

    def forward(self, xs):
        return xs[0] + xs[1]


example_args = ([torch.randn(4, 6), torch.randn(4, 6)],)
dynamic_shapes = {"xs": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = DynamicShapesNesting()
twin = "export_arguments_ok"
