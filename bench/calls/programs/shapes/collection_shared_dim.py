import torch
from torch.export import Dim, ShapesCollection, export


class Match(torch.nn.Module):
    def forward(self, query, keys):
        return query @ keys["k"].transpose(0, 1) @ keys["v"]


query = torch.randn(5, 8)
keys = {"k": torch.randn(12, 8), "v": torch.randn(12, 8)}

sc = ShapesCollection()
n = Dim("n", max=512)
sc[query] = {0: Dim("q")}
for tensor in keys.values():
    sc[tensor] = (n, Dim.STATIC)
ep = export(Match(), (query, keys), dynamic_shapes=sc)
print("exported", len(ep.range_constraints))
