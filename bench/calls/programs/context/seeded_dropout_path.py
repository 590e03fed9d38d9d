import random

import torch
from torch import nn
from torch.export import export

random.seed(3)


class LayerDrop(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.keep = random.random() < 0.5

    def forward(self, x):
        h = self.first(x)
        if self.keep:
            return h
        return h * (1 if h.sum() > 0 else -1)


models = [LayerDrop() for _ in range(4)]
print([m.keep for m in models])
for m in models:
    try:
        export(m, (torch.randn(2, 4),))
        print("ok")
    except Exception:
        print("failed")
