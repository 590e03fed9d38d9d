"""The program is called as the model was."""

import torch
from torch import nn
from torch.export import export


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.layer = nn.Linear(width, 2)

    def forward(self, x):
        return self.layer(x).softmax(-1)


torch.manual_seed(0)
inputs = [(torch.linspace(-1, k, 6).view(2, 3),) for k in (1.0, 2.0)]
model = Net().eval()
exported = export(model, inputs[0])
# Compared at once.
assert torch.equal(exported(*inputs[1]), model(*inputs[1]))
# mended: EDB903
