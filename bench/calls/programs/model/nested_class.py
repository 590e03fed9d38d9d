import torch
from torch import nn


class Detector(nn.Module):
    class Filter(nn.Module):
        def __init__(self, keep):
            super().__init__()
            self.keep = keep

        def forward(self, scores):
            order = scores.argsort(descending=True)
            return scores[order[: self.keep]]

    def __init__(self, keep=None):
        super().__init__()
        self.filter = self.Filter(keep)

    def forward(self, scores):
        return self.filter(scores)


print(torch.export.export(Detector.Filter(3), (torch.rand(10),)).module()(torch.rand(10)).shape)
print(torch.export.export(Detector(torch.tensor(4)), (torch.rand(10),)).module()(torch.rand(10)).shape)
