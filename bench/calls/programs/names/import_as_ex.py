import torch
from torch.export import Dim as D
from torch.export import export as ex


class Merge(torch.nn.Module):
    def forward(self, x):
        return x.reshape(-1, 4, x.shape[-1]).amax(1)


static = ex(Merge(), (torch.randn(8, 3),))
multiple = ex(Merge(), (torch.randn(8, 3),), dynamic_shapes=({0: 4 * D("g", max=20)},))
print(len(multiple.range_constraints))
anything = ex(Merge(), (torch.randn(8, 3),), dynamic_shapes=({0: D("n")},))
