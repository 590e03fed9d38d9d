"""Missing values are filled in, wherever they are."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x, default):
        filled = torch.nan_to_num(x) * 1.0
        for index in torch.isnan(x).nonzero():
            row, column = index
            filled[row, column] = default[row, column] * 2 + 1
        return self.layer(filled)


nan = float("nan")
inputs = [
    (torch.tensor([[1.0, nan, 2.0], [nan, nan, 0.0]]), torch.randn(2, 3)),
    (torch.ones(2, 3), torch.randn(2, 3)),
    (torch.full((2, 3), nan), torch.randn(2, 3)),
]
# refused: 14 untraceable
