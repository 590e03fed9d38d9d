from dataclasses import dataclass, replace

import torch
from torch import nn
from torch.export import export


@dataclass
class Config:
    width: int = 8
    pool: str = "mean"
    strict: bool = False


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.fc = nn.Linear(config.width, config.width)

    def forward(self, x):
        y = self.fc(x)
        if self.config.pool == "last":
            lengths = (x != 0).any(-1).sum(-1)
            assert lengths.min() > 0
            return y.gather(1, (lengths - 1)[:, None, None].expand(-1, 1, y.shape[-1]))
        return y.mean(1)


base = Config()
for config in [base, replace(base, pool="last"), replace(base, pool="last", strict=True)]:
    try:
        export(Net(config), (torch.randn(2, 5, config.width),), strict=config.strict)
        print(config, "exported")
    except Exception as e:
        print(config, type(e).__name__)
