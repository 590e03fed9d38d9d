"""Boxes that overlap a better one are passed over, until the scores are too low; what is left is marked as it goes."""

import torch
from torch import nn


def overlap(one, boxes):
    low, high = torch.max(one[0], boxes[:, 0]), torch.min(one[1], boxes[:, 1])
    return (high - low).clamp(min=0)


class Net(nn.Module):
    def __init__(self, boxes=3, threshold=0.5, least=0.2):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(2))
        self.boxes, self.threshold, self.least = boxes, threshold, least

    def forward(self, boxes, scores):
        boxes = boxes + self.shift
        keep = torch.zeros(self.boxes, dtype=torch.bool)
        gone = torch.zeros(self.boxes, dtype=torch.bool)
        for i in range(self.boxes):
            if gone[i]:
                # a better one was there
                continue
            if scores[i] < self.least:
                break
            keep[i] = True
            gone |= overlap(boxes[i], boxes) > self.threshold
        return scores * keep, keep


example_args = (torch.ones(3, 2), torch.ones(3))
model = Net()
_line = torch.tensor([[0.0, 1.0], [0.2, 1.1], [2.0, 3.0]])
inputs = [
    (_line, torch.tensor([0.9, 0.8, 0.7])),
    (_line, torch.tensor([0.9, 0.8, 0.1])),
    (_line * 0.1, torch.tensor([0.9, 0.8, 0.7])),
    (_line, torch.tensor([0.1, 0.1, 0.1])),
]
# mended: EDB101
