import torch
from torch import nn
from torch.export import export


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x, *, past=None, check_past=False):
        h = self.fc(x)
        if past is not None:
            if check_past and past.abs().sum() == 0:
                return h
            h = h + past
        return h


x, past = torch.randn(2, 4), torch.zeros(2, 4)
for kwargs in ({}, {"past": past}, {"past": past, "check_past": True}):
    try:
        export(Decoder(), (x,), kwargs)
        print(sorted(kwargs), "ok")
    except Exception as e:
        print(sorted(kwargs), type(e).__name__)
