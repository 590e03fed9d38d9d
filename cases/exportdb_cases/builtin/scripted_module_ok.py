import torch


class ScriptedModuleOk(torch.nn.Module):
    """The module itself is traced."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.ReLU()

    def forward(self, x):
        return self.layer(x).sin()


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = ScriptedModuleOk()
