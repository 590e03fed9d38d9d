import torch
from torch import nn


class Adversary(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        step = x.new_full((3,), 0.1)
        step.requires_grad_()
        return self.fc(x + step)


for strict in (True, False):
    try:
        torch.export.export(Adversary(), (torch.randn(2, 3),), strict=strict)
        print(f"strict={strict}: ok")
    except Exception as e:
        print(f"strict={strict}: {type(e).__name__}")
