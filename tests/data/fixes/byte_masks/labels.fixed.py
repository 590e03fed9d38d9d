"""Labels to be left out, as a mask of uint8 in a buffer and one that is computed."""

import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("known", torch.tensor([1, 1, 0, 1], dtype=torch.uint8))

    def forward(self, logits, labels):
        valid = labels.ne(-1).byte()
        loss = F.cross_entropy(logits[valid.bool()], labels[valid.bool()])
        return loss, torch.where(self.known.bool(), logits.sum(1), logits.mean(1))


inputs = [(torch.linspace(-1, 1, 12).view(4, 3), torch.tensor([0, 2, -1, 1])), (torch.zeros(4, 3), torch.tensor([0, 1, 2, -1]))]
# mended: EDB211
