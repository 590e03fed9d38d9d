import torch


class SizeTextCompared(torch.nn.Module):
    """The text of a size is compared: in non-strict mode it is the name of the symbol."""

    def forward(self, x):
        if f"{x.shape[0]}" == "4":
            return x.sin()
        return x.cos()


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = SizeTextCompared()
twin = "int_of_size_ok"
