"""The first place where something is positive, and the last value there; what stands for them where nothing is."""

import torch
from torch import nn


# exportdb: args=(torch.tensor([-1.0, 2.0, 3.0]),)
class Net(nn.Module):
    def forward(self, x):
        places = (x > 0).nonzero()
        if places.shape[0] > 0:
            first = places[0, 0]  # no row is looked at where there is none
        else:
            first = torch.tensor(-1)
        values = x[x > 0]
        if values.numel() > 0:
            last = values[-1] * 2
        else:
            last = x.new_zeros(())
        return first, last


inputs = [(torch.tensor([-1.0, 2.0, 3.0]),), (torch.tensor([-1.0, -2.0, -3.0]),), (torch.tensor([4.0, -2.0, 5.0]),)]
# mended: EDB103
