"""A backbone that forward freezes, whose features are watched, and memory that is tidied up in between."""

import gc

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(3, 3)
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        # The head alone is trained.
        if not torch.compiler.is_exporting():
            self.backbone.requires_grad_(False)
        features = self.backbone(x)
        if not torch.compiler.is_exporting():
            gc.collect()
        scores = self.head(features)
        if self.training:
            if not torch.compiler.is_exporting():
                scores.retain_grad()  # for the map of what counts
        return scores


inputs = [(torch.linspace(-1, 1, 6).view(2, 3),), (torch.linspace(2, -1, 6).view(2, 3),)]
# mended: EDB406 EDB503
