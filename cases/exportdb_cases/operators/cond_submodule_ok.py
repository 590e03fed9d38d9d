import torch


class CondSubmoduleOk(torch.nn.Module):
    """Branches that call submodules of `self`."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(2, 2)
        self.second = torch.nn.Linear(2, 2)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: self.first(x), lambda x: self.second(x), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "python.closure"}
model = CondSubmoduleOk()
