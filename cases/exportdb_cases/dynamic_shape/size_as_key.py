import torch


class SizeAsKey(torch.nn.Module):
    """A dict looked up by a size must hash it."""

    def __init__(self):
        super().__init__()
        self.scales = {4: 0.5, 8: 0.25}

    def forward(self, x):
        return x * self.scales[x.shape[0]]


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
extra_inputs = [(torch.randn(4, 2),)]
tags = {"torch.dynamic-shape", "python.data-structure"}
model = SizeAsKey()
twin = "size_as_key_ok"
