import torch
from torch import nn


class Nms(nn.Module):
    def forward(self, boxes, scores):
        keep = scores > 0.5
        kept = boxes[keep]
        if kept.shape[0] == 0:
            return boxes[:1]
        return kept


class Static(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k

    def forward(self, boxes, scores):
        return boxes[scores.topk(self.k).indices]


args = (torch.rand(20, 4), torch.rand(20))
try:
    ep = torch.export.export(Nms(), args)
except Exception as exc:
    print("dynamic nms failed:", type(exc).__name__)
    ep = torch.export.export(Static(5), args)
finally:
    print("finished")
print(ep.module()(*args).shape)
