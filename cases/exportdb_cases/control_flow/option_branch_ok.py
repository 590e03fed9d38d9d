from enum import Enum

import torch


class Kind(Enum):
    RELU = "relu"
    GATE = "gate"


class OptionBranchOk(torch.nn.Module):
    """Branches on tensors that options, known before tracing, leave out."""

    def __init__(self):
        super().__init__()
        self.order = "cr"
        self.kind = Kind("relu")
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        for step in self.order:
            if step == "g" or self.kind is Kind.GATE or isinstance(self.layer, torch.nn.Bilinear):
                x = x if x.sum() > 0 else -x
            elif step == "c":
                x = self.layer(x)
        if "g" in self.order or self.kind.value.startswith("g"):
            x = x if x.sum() > 0 else -x
        return x


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = OptionBranchOk()
