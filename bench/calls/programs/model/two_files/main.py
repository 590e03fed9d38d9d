import torch
from network import build
from torch.export import export

model = build({"encoder": {"normalize": "max"}})
print("parameters:", sum(p.numel() for p in model.parameters()))
ep = export(model, (torch.randn(2, 6),))
print(ep)
