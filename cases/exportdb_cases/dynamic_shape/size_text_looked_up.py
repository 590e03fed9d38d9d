import torch


class SizeTextLookedUp(torch.nn.Module):
    """The text of a size is looked up, with a default: in non-strict mode no entry has the name of the symbol."""

    def __init__(self):
        super().__init__()
        self.scales = {"rows4": 1.0, "rows5": 2.0}

    def forward(self, x):
        return x * self.scales.get(f"rows{x.shape[0]}", 3.0)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.data-structure"}
model = SizeTextLookedUp()
twin = "int_of_size_ok"
