import torch
from torch import nn
from torch.export import export


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(5, 5)

    def select(self, h):
        return h[:, 0]

    def forward(self, x):
        return self.select(torch.tanh(self.embed(x)))


class MaxSelect(Base):
    def select(self, h):
        index = h.norm(dim=-1).sum(0).argmax().item()
        return h[:, [index][0]] if index else h[:, 0]


for cls in (Base, MaxSelect):
    try:
        export(cls(), (torch.randn(2, 3, 5),))
        print(cls.__name__, "exports")
    except Exception as e:
        print(cls.__name__, "does not:", type(e).__name__)
