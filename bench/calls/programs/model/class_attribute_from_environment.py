import os

import torch
from torch import nn

os.environ.setdefault("TOPK_MODE", "dynamic")


class TopK(nn.Module):
    mode = os.environ["TOPK_MODE"]

    def forward(self, x, k):
        if self.mode == "dynamic":
            return x.topk(int(k), dim=-1).values if int(k) < x.shape[-1] else x
        return x.topk(2, dim=-1).values


model = TopK()
torch.export.export(model, (torch.randn(2, 8), torch.tensor(3)))
print("exported")
