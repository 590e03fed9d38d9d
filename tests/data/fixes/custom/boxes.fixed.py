"""Boxes from deltas, clipped to the image by an operator that takes a size."""

import torch
from torch import nn


@torch.library.custom_op("exportdb_programs::decode_boxes", mutates_args=())
def decode_boxes(anchors: torch.Tensor, deltas: torch.Tensor, size: int) -> torch.Tensor:
    centres = anchors[:, :2] + deltas[:, :2] * anchors[:, 2:]
    sizes = anchors[:, 2:] * torch.exp(deltas[:, 2:])
    corners = torch.cat([centres - sizes / 2, centres + sizes / 2], dim=-1)
    return corners.clamp(0, size)


@decode_boxes.register_fake
def _(anchors: torch.Tensor, deltas: torch.Tensor, size: int):
    centres = anchors[:, :2] + deltas[:, :2] * anchors[:, 2:]
    sizes = anchors[:, 2:] * torch.exp(deltas[:, 2:])
    corners = torch.cat([centres - sizes / 2, centres + sizes / 2], dim=-1)
    return corners.clamp(0, size)


class Net(nn.Module):
    def __init__(self, width=3, size=16):
        super().__init__()
        self.size = size
        self.regress = nn.Linear(width, 4)

    def forward(self, features, anchors):
        boxes = decode_boxes(anchors, self.regress(features), self.size)
        width, height = (boxes[:, 2:] - boxes[:, :2]).unbind(-1)
        return boxes, width * height


anchors = torch.tensor([[2.0, 2.0, 4.0, 4.0], [9.0, 9.0, 8.0, 2.0]])
inputs = [(torch.linspace(-1, k, 6).view(2, 3), anchors) for k in (1.0, 2.0)]
# mended: EDB801
