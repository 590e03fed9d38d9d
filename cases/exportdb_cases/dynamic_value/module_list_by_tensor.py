import torch


class ModuleListByTensor(torch.nn.Module):
    """Choosing an expert of a ModuleList by a tensor needs its value."""

    def __init__(self):
        super().__init__()
        self.experts = torch.nn.ModuleList(torch.nn.Linear(3, 3) for _ in range(3))

    def forward(self, x):
        return self.experts[x.argmax()](x)


example_args = (torch.randn(3),)
tags = {"torch.dynamic-value", "python.data-structure"}
model = ModuleListByTensor()
