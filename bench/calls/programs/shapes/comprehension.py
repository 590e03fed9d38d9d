import torch
from torch.export import Dim, export


class Concat(torch.nn.Module):
    def forward(self, a, b, c):
        return torch.cat([a + b, c], dim=1)


args = tuple(torch.randn(4, 6) for _ in range(3))
batch = Dim("batch")
dynamic = {name: {0: batch} for name in ("a", "b", "c")}
ep = export(Concat(), args, dynamic_shapes=dynamic)
print(ep.module()(*[torch.ones(7, 6)] * 3).shape)
