import torch


class StackedModulesOk(torch.nn.Module):
    """The members of an ensemble one after the other."""

    def __init__(self):
        super().__init__()
        self.members = torch.nn.ModuleList([torch.nn.Linear(2, 2) for _ in range(3)])

    def forward(self, x):
        return torch.stack([member(x) for member in self.members])


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = StackedModulesOk()
