"""A class that is one of those that are looked for."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, logits, wanted):
        top = logits.argmax()
        hit = torch.stack([top == w for w in wanted]).any()
        scale = torch.where(hit, 2.0, 0.5)
        return logits * scale


wanted = (torch.tensor(1), torch.tensor(3))
inputs = [(torch.tensor([0.0, 5.0, 1.0, 2.0]), wanted), (torch.tensor([9.0, 5.0, 1.0, 2.0]), wanted)]
# mended: EDB101 EDB105
