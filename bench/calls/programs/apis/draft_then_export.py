import torch
from torch import nn


class Pick(nn.Module):
    def __init__(self):
        super().__init__()
        self.choose = True

    def forward(self, x, i):
        k = i.item()
        if self.choose:
            torch._check(k >= 0)
        return x[: k + 1] if not self.choose and k > 2 else x[: k + 1] * 2


pick = Pick()
args = (torch.randn(6), torch.tensor(3))
torch.export.draft_export(pick, args)
print("draft ok")
pick.choose = False
torch.export.draft_export(pick, args)
print("draft of the other ok")
torch.export.export(pick, args)
