import torch


class AttributeCache(torch.nn.Module):
    """A cache filled in the first call: what tracing saw is what the graph has."""

    def __init__(self):
        super().__init__()
        self.cached = None

    def forward(self, x):
        if self.cached is None:
            self.cached = x.mean()
        return x - self.cached


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = AttributeCache()
twin = "attribute_assign_ok"
