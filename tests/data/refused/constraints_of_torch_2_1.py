"""A dynamic batch, told by constraints as torch 2.1 had it."""

import torch
from torch import nn
from torch.export import dynamic_dim, export


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.norm = nn.LayerNorm(width)

    def forward(self, x, bias):
        return self.norm(x) + bias


x, bias = torch.linspace(-1, 1, 12).view(4, 3), torch.ones(3)
dynamic_shapes = ({0: torch.export.Dim.AUTO}, None)
inputs = [(x, bias), (x[:2], bias), (torch.cat([x, x]), bias)]
torch.manual_seed(0)
exported = export(Net().eval(), (x, bias), constraints=[dynamic_dim(x, 0)])
# refused: 5 unknown-form, 21 unknown-form
