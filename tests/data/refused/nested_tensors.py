"""Two sequences of different lengths, side by side in one padded batch."""

import torch
from torch import nn


# exportdb: args=(torch.ones(5, 2), torch.ones(3))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, x, y):
        rows = torch.nested.nested_tensor([x[0], x[1], x[4]]).to_padded_tensor(0.0)
        return rows * self.scale


model = Net()
example_args = (torch.ones(5, 2), torch.ones(3))
inputs = [
    (torch.linspace(-1, 1, 10).view(5, 2), torch.ones(3)),
    (torch.linspace(2, 1, 10).view(5, 2), torch.ones(3)),
]
# refused: 14 reads-data
