"""A layer that is left out where the model is sure already."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.sure = nn.Linear(width, 1)
        nn.init.constant_(self.sure.weight, 0.5)

    def forward(self, hidden):
        def skip(hidden):
            return hidden.clone()  # as it is

        def run(hidden):
            hidden = hidden + self.layer(hidden).relu()
            return hidden

        certain = self.sure(hidden).mean() > 0
        hidden = torch.cond(certain, skip, run, (hidden,))
        return hidden.softmax(-1)


inputs = [(torch.ones(2, 4),), (-torch.ones(2, 4),), (torch.linspace(-3, 2, 8).view(2, 4),)]
# mended: EDB601
