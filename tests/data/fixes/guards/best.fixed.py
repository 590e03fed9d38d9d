"""The best of what passes a threshold: not more than there is room for, and filled up to that."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, keep=3):
        super().__init__()
        self.keep = keep

    def forward(self, boxes, scores, mask=None):
        if mask is not None:
            scores = scores.masked_fill(mask, 0.0)
        found = scores > 0.5
        boxes, scores = boxes[found], scores[found]
        order = scores.argsort(descending=True)
        order = order[: self.keep]
        boxes, scores = boxes[order], scores[order]
        missing = self.keep - boxes.shape[0]
        boxes = torch.cat([boxes, boxes.new_zeros(max(missing, 0), 4)])
        scores = torch.cat([scores, torch.zeros(max(missing, 0))], dim=0)
        return boxes, scores


boxes = torch.linspace(0, 1, 24).view(6, 4)
inputs = [
    (boxes, torch.tensor(scores), torch.tensor(mask))
    for scores, mask in (
        ([0.9, 0.1, 0.6, 0.7, 0.8, 0.2], [False] * 6),
        ([0.9, 0.1, 0.6, 0.7, 0.8, 0.2], [True, False] * 3),
        ([0.1] * 6, [False] * 6),
        ([0.9, 0.2, 0.3, 0.7, 0.8, 0.2], [False] * 6),
    )
]
# mended: EDB101 EDB103
