import torch


class ListAppend(torch.nn.Module):
    """A list on the module grows in eager only."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def forward(self, x):
        self.seen.append(x)
        return torch.stack(self.seen).sum(0)


example_args = (torch.randn(3, 2),)
tags = {"python.object-model", "python.data-structure"}
model = ListAppend()
issues = ("https://github.com/pytorch/pytorch/issues/139160",)
