"""An anchor from the mean size of the boxes that a head predicts."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.regress = nn.Linear(5, 4)

    def forward(self, features):
        x1, y1, x2, y2 = self.regress(features).unbind(-1)
        width = (x2 - x1).abs()
        height = (y2 - y1).abs()
        anchor = torch.stack([width.mean(), height.mean()])
        # Area and aspect of the anchor, with one for the stride.
        summary = torch.stack([anchor.prod(), anchor.max(), torch.full_like(anchor.prod(), 1.0)])
        return torch.stack([width, height], dim=-1) / anchor, summary


inputs = [(torch.linspace(-2, 3, 15).view(3, 5),), (torch.linspace(4, -1, 10).view(2, 5).repeat(2, 1)[:3],)]
# mended: EDB205
