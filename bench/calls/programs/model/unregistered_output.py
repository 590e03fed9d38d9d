from dataclasses import dataclass

import torch
from torch.export import export, register_dataclass


@dataclass
class Output:
    logits: torch.Tensor
    hidden: torch.Tensor


class Lm(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 7)

    def forward(self, x):
        h = x.relu()
        return Output(logits=self.fc(h), hidden=h)


def setup(serialize=False):
    if serialize:
        register_dataclass(Output)


setup()
ep = export(Lm(), (torch.randn(2, 4),))
print(ep.module()(torch.randn(2, 4)).logits.shape)
