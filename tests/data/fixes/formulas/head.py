"""The last layer is solved for, in closed form, on the features of a support set."""

import torch
from torch import nn


# exportdb: args=(torch.ones(6, 4), torch.ones(6, 3), torch.ones(2, 4))
class Net(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.embed = nn.Linear(dim, dim)

    def forward(self, support, labels, query):
        features = self.embed(support)
        head = torch.linalg.lstsq(features, labels).solution
        return self.embed(query) @ head


support = torch.linspace(-3, 3, 24).view(6, 4)
inputs = [
    (support.sin(), support[:, :3].cos(), support[:2]),
    (support.exp().cos(), support[:, 1:].sin(), support[2:4]),
]
# mended: EDB209
