"""A detector that returns a dataclass."""

from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Detections:
    """Boxes, the scores of their classes, and the best class of each."""

    boxes: torch.Tensor
    scores: torch.Tensor
    labels: torch.Tensor


torch.export.register_dataclass(Detections, serialized_type_name="program.Detections")



class Net(nn.Module):
    def __init__(self, width=5, classes=3):
        super().__init__()
        self.box = nn.Linear(width, 4)
        self.cls = nn.Linear(width, classes)

    def forward(self, features):
        scores = self.cls(features).softmax(-1)
        boxes = self.box(features).sigmoid()
        return Detections(boxes, scores, labels=scores.argmax(-1))


inputs = [(torch.linspace(-1, k, 10).view(2, 5),) for k in (1.0, 4.0)]
# mended: EDB701
