import torch
from torch import nn
from torch.export import draft_export, export


class Trim(nn.Module):
    def forward(self, x, n):
        k = n.item()
        if k == 0:
            return x
        return x[:k]


EXPORTERS = {"export": export, "draft": draft_export}
for name, exporter in EXPORTERS.items():
    try:
        exporter(Trim(), (torch.randn(5), torch.tensor(2)))
        print(name, "ok")
    except Exception as e:
        print(name, type(e).__name__)
