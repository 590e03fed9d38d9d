import torch
from torch import nn
from torch.nn.utils import parametrizations, parametrize


class CheckedScale(nn.Module):
    def forward(self, w):
        return w / w.norm() if w.norm() > 1 else w


layer = nn.Linear(4, 4)
parametrize.register_parametrization(layer, "weight", CheckedScale())
try:
    torch.export.export(layer, (torch.randn(2, 4),))
    print("parametrized: ok")
except Exception as e:
    print("parametrized:", type(e).__name__)
parametrize.remove_parametrizations(layer, "weight")
torch.export.export(parametrizations.weight_norm(layer), (torch.randn(2, 4),))
print("weight norm: ok")
