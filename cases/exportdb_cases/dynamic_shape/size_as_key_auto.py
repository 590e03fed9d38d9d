import torch


class SizeAsKeyAuto(torch.nn.Module):
    """A dict looked up by a size under Dim.AUTO."""

    def __init__(self):
        super().__init__()
        self.scales = {}

    def forward(self, x):
        return x * self.scales.get(x.shape[0], 2.0)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.data-structure"}
model = SizeAsKeyAuto()
twin = "size_as_key_ok"
