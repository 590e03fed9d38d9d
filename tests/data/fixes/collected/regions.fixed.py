"""Every region of interest goes through the head of the detector by itself."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4, classes=3):
        super().__init__()
        self.head = nn.Sequential(nn.Linear(width, 5), nn.ReLU(), nn.Linear(5, classes))
        self.norm = nn.LayerNorm(width)

    def forward(self, regions):
        regions = self.norm(regions)
        # One region at a time.
        logits = torch._higher_order_ops.map(lambda region: self.head(region), regions)
        parts = torch._higher_order_ops.map(
            lambda region: region[:2].clone(memory_format=torch.contiguous_format),
            regions,
        )
        return logits.softmax(-1), parts


dynamic_shapes = {"regions": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.ones(3, 4),)
model = Net()
inputs = [(torch.linspace(-2, 2, 4 * n).view(n, 4).sin(),) for n in (3, 2, 6)]
# mended: EDB303
