"""A network that answers at the first head that is sure, and says whether one was."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, depth=3, threshold=0.6):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(4, 4) for _ in range(depth)])
        self.heads = nn.ModuleList([nn.Linear(4, 3) for _ in range(depth)])
        self.threshold = threshold

    def forward(self, x):
        for block, head in zip(self.blocks, self.heads, strict=True):
            x = block(x).relu()
            logits = head(x)
            if logits.softmax(-1).max(-1).values.mean() > self.threshold:
                return logits, torch.ones(())
        return logits, torch.zeros(())


example_args = (torch.ones(2, 4),)
model = Net()
inputs = [(torch.linspace(-2, 3, 8).view(2, 4) * scale,) for scale in (1.0, 40.0, -8.0, 0.0)]
# mended: EDB101
