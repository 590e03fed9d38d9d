"""Suppression of boxes: what is picked by a tensor in a branch."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, iou, scores):
        keep = torch.ones(scores.shape[0], dtype=torch.bool)
        order = scores.argsort(descending=True)
        for i in range(scores.shape[0]):
            idx = order[i]
            if keep[idx]:
                overlap = iou[idx] > 0.5
                overlap[idx] = False
                keep = keep & ~overlap
        return keep


model = Net()
example_args = (torch.rand(4, 4), torch.rand(4))
inputs = [
    (torch.linspace(0, 9, 16).view(4, 4).sin().abs() * scale, torch.tensor([0.3, 0.9, 0.1, 0.5]))
    for scale in (1.0, 0.4, 3.0)
]
# mended: EDB101
