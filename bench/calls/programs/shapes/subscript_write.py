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
shapes = {"patches": {}}
shapes["patches"][0] = torch.export.Dim("batch")
shapes["patches"][1] = torch.export.Dim("patches", max=1024)

exported = torch.export.export(net, (example,), dynamic_shapes=shapes)
print(exported)
