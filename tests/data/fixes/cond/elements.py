"""What a comprehension computes for each element is chosen by a tensor; and rows that are equal."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.register_buffer("anchor", torch.zeros(4))

    def forward(self, x):
        kept = [layer(x) if layer(x).mean() > 0 else torch.zeros_like(x) for layer in self.layers]
        total = sum(layer(x) if x.mean() > i * 0.5 else x for i, layer in enumerate(self.layers))
        return torch.stack(kept).sum(0), self.shifted(total, x)

    def shifted(self, y, x):
        if torch.equal(x[0], self.anchor):
            return y
        if torch.allclose(x, torch.ones_like(x), atol=1e-3):
            return y + 1
        return self.layers[0](y)


model = Net()
example_args = (torch.randn(3, 4),)
inputs = [
    example_args,
    (torch.ones(3, 4),),
    (torch.zeros(3, 4),),
    (-torch.ones(3, 4),),
]
# mended: EDB101 EDB105
