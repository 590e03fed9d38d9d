import torch
import torch.nn as nn


class PatchEmbed(nn.Module):
    def __init__(self, patches=16, dim=8):
        super().__init__()
        self.pos = nn.Parameter(torch.zeros(1, patches, dim))
        self.proj = nn.Linear(12, dim)

    def forward(self, patches):
        return self.proj(patches) + self.pos


net = PatchEmbed()
example = torch.randn(2, 16, 12)
dims = {0: torch.export.Dim("batch"), 1: torch.export.Dim("patches", max=1024)}
shapes = {"patches": dims}
if net.pos.shape[1] == example.shape[1]:
    # The positions are learned for one length only.
    del shapes["patches"][1]

exported = torch.export.export(net, (example,), dynamic_shapes=shapes)
print(list(exported.range_constraints.values()))
