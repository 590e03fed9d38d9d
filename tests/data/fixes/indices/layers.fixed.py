"""The output of the layer that a tensor names."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x, which: torch.Tensor):
        outputs = []
        for layer in self.layers:
            x = torch.tanh(layer(x))
            outputs.append(x)
        return torch.stack(outputs)[which.reshape(1)].squeeze(0) * 2


inputs = [(torch.ones(2, 3), torch.tensor(0)), (-torch.ones(2, 3), torch.tensor(2))]
# mended: EDB206
