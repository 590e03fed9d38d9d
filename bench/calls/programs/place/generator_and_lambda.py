import torch
from torch import nn
from torch.export import export


class Pad(nn.Module):
    def __init__(self, to=None):
        super().__init__()
        self.to_multiple = to

    def forward(self, x, n):
        width = n.item() if self.to_multiple is None else self.to_multiple
        return torch.cat([x, x.new_zeros(width)]) if width > 0 else x


attempts = (lambda to=to: export(Pad(to), (torch.randn(4), torch.tensor(3))) for to in (2, None))
for attempt in attempts:
    try:
        print(type(attempt()).__name__)
    except Exception as e:
        print(type(e).__name__)
