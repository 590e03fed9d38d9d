"""As many proposals of a detection head as pass a threshold, by their scores."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, most=6):
        super().__init__()
        self.most = most
        self.score = nn.Linear(4, 1)
        nn.init.constant_(self.score.weight, 0.5)
        nn.init.zeros_(self.score.bias)

    def forward(self, boxes):
        scores = self.score(boxes).squeeze(-1)
        kept = (scores > 0).sum().item()
        torch._check(kept <= self.most)
        order = scores.argsort(descending=True)
        return boxes[order][:kept], scores[order][:kept]


some = torch.tensor([1.0, -2.0, 3.0, -4.0, 5.0, 6.0, -7.0, 8.0]).view(8, 1).expand(8, 4).contiguous()
all_ = torch.arange(1.0, 33.0).view(8, 4)
inputs = [(some,), (-some,), (all_,), (-all_,)]
# mended: EDB107
