"""A decoder falls back on what it computed before, which the branches close over."""

import torch
from torch import nn
from torch._higher_order_ops.cond import cond


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.refine = nn.Linear(width, width)
        self.register_buffer("prior", torch.linspace(0, 1, width))

    def forward(self, draft):
        draft = draft.relu()
        refined = self.refine(draft)
        better = refined.sum() > draft.sum()
        out = cond(better, lambda: refined.clone(), lambda: draft.clone())
        bias = cond(draft.any(), lambda: self.prior.clone(), lambda: self.prior * 0)
        return out + bias


inputs = [(torch.ones(2, 3) * k,) for k in (4.0, -1.0, 0.1)]
# mended: EDB601
