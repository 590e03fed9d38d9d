import torch


class AttributeBySizeText(torch.nn.Module):
    """`getattr` with a default, by the text of a size: in non-strict mode no attribute has the name of the symbol."""

    def __init__(self):
        super().__init__()
        self.head4 = torch.nn.Linear(2, 2)

    def forward(self, x):
        head = getattr(self, f"head{x.shape[0]}", None)
        return x if head is None else head(x)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.object-model"}
model = AttributeBySizeText()
twin = "int_of_size_ok"
