"""Detections above a threshold, best first; none where nothing is above it."""

import torch
from torch import nn


# exportdb: args=(torch.rand(6, 4), torch.linspace(0, 1, 6))
class Net(nn.Module):
    def best(self, boxes, scores):
        keep = scores > 0.5
        boxes, scores = boxes[keep], scores[keep]
        # nobody is there
        order = scores.argsort(descending=True)
        boxes = boxes[order]
        return boxes[:100], scores[order][:100]

    def apart(self, boxes, scores):
        mask = scores > 0.5
        found = boxes[mask]
        _, order = scores[mask].sort()
        return found[order] * 2

    def forward(self, boxes, scores):
        return self.best(boxes, scores), self.apart(boxes, scores)


boxes = torch.rand(6, 4)
inputs = [(boxes, torch.linspace(0, 1, 6)), (boxes, torch.linspace(1, 0, 6)), (boxes, torch.zeros(6))]
# mended: EDB103
