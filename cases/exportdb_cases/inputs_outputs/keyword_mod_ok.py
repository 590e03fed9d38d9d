import torch


class Modulated(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x, mod):
        return self.layer(x) * mod


class KeywordModOk(torch.nn.Module):
    """An argument that is named `mod` is passed by position."""

    def __init__(self):
        super().__init__()
        self.block = Modulated()

    def forward(self, x):
        return self.block(x, x.sigmoid())


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = KeywordModOk()
