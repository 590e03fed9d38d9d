from pathlib import Path

import torch
from torch import nn
from torch.export import Dim, export


class Upsample(nn.Module):
    def forward(self, x, factor: int = 2):
        b, c, h, w = x.shape
        return x[..., None, :, None].expand(b, c, h, factor, w, factor).reshape(b, c, h * factor, w * factor)


class Exporter:
    def __init__(self, model, example, dynamic=()):
        self.model = model
        self.example = example
        self.dynamic = dynamic

    @property
    def shapes(self):
        return ({axis: Dim(f"d{axis}", max=512) for axis in self.dynamic},)

    def run(self, folder="out"):
        ep = export(self.model, self.example, dynamic_shapes=self.shapes)
        Path(folder).mkdir(exist_ok=True)
        torch.export.save(ep, f"{folder}/model.pt2")
        return ep


exporter = Exporter(Upsample(), (torch.randn(1, 3, 8, 8),))
exporter.dynamic = (0, 2, 3)
try:
    exporter.run()
except Exception as e:
    print("dynamic batch with a batch of one:", type(e).__name__)
exporter.example = (torch.randn(2, 3, 8, 8),)
exporter.run()
print(sorted(p.name for p in Path("out").iterdir()))
