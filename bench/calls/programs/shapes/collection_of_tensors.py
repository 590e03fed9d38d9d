import torch
from torch.export import Dim, ShapesCollection, export


class Match(torch.nn.Module):
    def forward(self, query, keys):
        return query @ keys["k"].transpose(0, 1) @ keys["v"]


query = torch.randn(5, 8)
keys = {"k": torch.randn(12, 8), "v": torch.randn(12, 8)}

sc = ShapesCollection()
sc[query] = {0: Dim("q")}
sc[keys["k"]] = (Dim("n"), Dim.STATIC)
sc[keys["v"]] = (Dim("m"), Dim.STATIC)
ep = export(Match(), (query, keys), dynamic_shapes=sc)
print("exported", len(ep.range_constraints))
