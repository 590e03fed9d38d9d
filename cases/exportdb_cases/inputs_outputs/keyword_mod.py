import torch


class Modulated(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x, mod):
        return self.layer(x) * mod


class KeywordMod(torch.nn.Module):
    """A submodule takes an argument by the keyword `mod`: the wrapper that non-strict export calls it through has it too."""

    def __init__(self):
        super().__init__()
        self.block = Modulated()

    def forward(self, x):
        return self.block(x, mod=x.sigmoid())


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = KeywordMod()
