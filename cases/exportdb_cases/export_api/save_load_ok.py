import torch


class SaveLoadOk(torch.nn.Module):
    """An exported program that is saved and loaded computes the same."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(x).relu()


example_args = (torch.randn(3, 2),)
after = "save"
tags = {"torch.operator"}
model = SaveLoadOk()
