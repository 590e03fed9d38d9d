import torch
from torch import nn
from torch.export import export


class Router(nn.Module):
    def __init__(self, experts, dense):
        super().__init__()
        self.gate = nn.Linear(4, experts)
        self.experts = nn.ModuleList(nn.Linear(4, 4) for _ in range(experts))
        self.dense = dense

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        if self.dense:
            return sum(weights[:, i, None] * e(x) for i, e in enumerate(self.experts))
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            rows = (weights.argmax(-1) == i).nonzero().squeeze(1)
            if len(rows) == 0:
                continue
            out[rows] = expert(x[rows])
        return out


dense = Router(3, dense=True)
sparse = Router(3, dense=False)
x = torch.randn(5, 4)
ok = export(dense, (x,))
print("dense ok")
bad = export(sparse, (x,))
print("sparse ok")
