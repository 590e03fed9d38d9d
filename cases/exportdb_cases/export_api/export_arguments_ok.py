import torch


class ExportArgumentsOk(torch.nn.Module):
    """`args` fit the signature of `forward`, and `dynamic_shapes` the inputs: by name, nested as they are, in range."""

    def forward(self, x, ys, mode, scale=1.0):
        y, z = ys
        return x.sin() * scale + y + z[::2] if mode == "sin" else x.cos()


rows = torch.export.Dim("rows", min=2, max=64)
example_args = (torch.randn(4, 6), [torch.randn(4, 6), torch.randn(8, 6)], "sin")
dynamic_shapes = {"x": {0: rows, 1: 6}, "ys": [(rows, None), {0: 2 * rows}], "mode": None}
tags = {"torch.dynamic-shape"}
model = ExportArgumentsOk()
