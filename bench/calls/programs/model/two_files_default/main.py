import json
from pathlib import Path

import torch
from network import build
from torch.export import export

config = json.loads((Path(__file__).parent / "config.json").read_text())
model = build(config).eval()
print("parameters:", sum(p.numel() for p in model.parameters()))
ep = export(model, (torch.randn(2, 6),))
print(len(ep.state_dict))
