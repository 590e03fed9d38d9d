"""The first place where something is positive, and the last value there; what stands for them where nothing is."""

import torch
from torch import nn


# exportdb: args=(torch.tensor([-1.0, 2.0, 3.0]),)
class Net(nn.Module):
    def forward(self, x):
        places = (x > 0).nonzero()

        def true_branch(places):
            first = places.select(0, 0)[0]  # no row is looked at where there is none
            return first.clone(memory_format=torch.contiguous_format)

        def false_branch(places):
            first = torch.tensor(-1)
            return first

        first = torch.cond(places.shape[0] > 0, true_branch, false_branch, (places,))
        values = x[x > 0]

        def true_branch_2(values, x):
            last = values.select(0, -1) * 2
            return last

        def false_branch_2(values, x):
            last = x.new_zeros(())
            return last

        last = torch.cond(values.numel() > 0, true_branch_2, false_branch_2, (values, x))
        return first, last


inputs = [(torch.tensor([-1.0, 2.0, 3.0]),), (torch.tensor([-1.0, -2.0, -3.0]),), (torch.tensor([4.0, -2.0, 5.0]),)]
# mended: EDB103
