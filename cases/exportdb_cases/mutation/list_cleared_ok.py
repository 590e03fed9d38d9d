import torch


class ListClearedOk(torch.nn.Module):
    """A list of losses on the module that every call empties first."""

    def __init__(self):
        super().__init__()
        self.gate = torch.nn.Linear(4, 3)
        self.losses = []

    def forward(self, x):
        self.losses.clear()
        chances = self.gate(x).softmax(-1)
        self.losses.append(chances.mean(0).square().sum())
        return chances, sum(self.losses)


example_args = (torch.randn(3, 4),)
tags = {"python.object-model", "python.data-structure"}
model = ListClearedOk()
