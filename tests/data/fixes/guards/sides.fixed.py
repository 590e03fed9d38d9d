"""Rows that are computed where there are some, and written out as none where there are not."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, least=0.5):
        super().__init__()
        self.least = least
        self.box = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)

    def boxes(self, x, scores):
        (keep,) = torch.where(scores > self.least)
        result = {"scores": scores[keep]}
        # what was found
        result["boxes"] = self.box(x[keep])
        return result

    def heads(self, x, scores):
        mask = scores > self.least
        rows = x[mask]
        found = self.head(rows) * 2
        return found

    def forward(self, x, scores):
        result = self.boxes(x, scores), self.heads(x, scores)
        places = (scores > self.least).nonzero(as_tuple=True)[0]
        x = x[places]
        out = self.head(x)
        out = out[:3]
        return result, out, places.numel()


example_args = (torch.linspace(-1, 1, 20).view(5, 4), torch.tensor([0.1, 0.9, 0.6, 0.7, 0.8]))
inputs = [example_args, (example_args[0], torch.zeros(5)), (example_args[0], torch.tensor([0.9, 0, 0, 0, 0.6]))]
# mended: EDB101 EDB103
