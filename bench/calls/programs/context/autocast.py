import torch
from torch import nn
from torch.export import export


class Attend(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(8, 8)

    def forward(self, x):
        q = self.q(x)
        if q.dtype is torch.bfloat16:
            return q @ x.to(q.dtype).T
        peak = q.abs().max().item()
        return q @ x.T / peak if peak > 1 else q @ x.T


model, x = Attend(), torch.randn(3, 8)
with torch.autocast("cpu", dtype=torch.bfloat16):
    ep = export(model, (x,))
print("bfloat16: ok")
with torch.autocast("cpu", enabled=False):
    try:
        export(model, (x,))
    except Exception as e:
        print("float32:", type(e).__name__)
