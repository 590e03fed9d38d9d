import torch
from torch import nn
from torch.export import export


class Rbf(nn.Module):
    def forward(self, x):
        centers = torch.linspace(0, 1, 5)
        d = x[:, None] - centers
        if d.dtype == torch.float64:
            return torch.exp(-(d**2) / d.var().item()) if d.var().item() > 0 else d
        return torch.exp(-(d**2))


x = torch.rand(3)
export(Rbf(), (x,))
torch.set_default_dtype(torch.float64)
try:
    export(Rbf(), (x,))
    print("exports in double")
except Exception as e:
    print("does not in double:", type(e).__name__)
