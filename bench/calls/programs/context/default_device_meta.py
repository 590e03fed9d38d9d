import torch
from torch import nn
from torch.export import export


class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x) + torch.arange(4.0)


x = torch.randn(3, 4)
with torch.device("meta"):
    try:
        export(Positions(), (x,))
        print("meta weights, cpu inputs: ok")
    except Exception as e:
        print("meta weights, cpu inputs:", type(e).__name__)
    big = Positions()
export(big, (x.to("meta"),))
