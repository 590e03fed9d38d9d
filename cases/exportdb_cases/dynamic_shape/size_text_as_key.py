import torch


class SizeTextAsKey(torch.nn.Module):
    """The text of a size names a module: in non-strict mode it is the name of the symbol."""

    def __init__(self):
        super().__init__()
        self.heads = torch.nn.ModuleDict({"rows4": torch.nn.Linear(2, 2), "rows5": torch.nn.Linear(2, 2)})

    def forward(self, x):
        return self.heads[f"rows{x.shape[0]}"](x)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.data-structure"}
model = SizeTextAsKey()
twin = "int_of_size_ok"
