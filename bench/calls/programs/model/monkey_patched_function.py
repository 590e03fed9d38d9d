import torch
import torch.nn.functional as F
from torch import nn


def safe_normalize(x, p=2.0, dim=1, eps=1e-12, out=None):
    norm = x.norm(p, dim, keepdim=True)
    if (norm < eps).any():
        norm = norm + eps
    return x / norm


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return F.normalize(self.fc(x), dim=-1)


torch.export.export(Embedder(), (torch.randn(2, 3),))
print("before the patch: ok")
F.normalize = safe_normalize
torch.export.export(Embedder(), (torch.randn(2, 3),))
print("after the patch: ok")
