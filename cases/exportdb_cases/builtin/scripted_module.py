import torch


class Scale(torch.nn.Module):
    def forward(self, x):
        return x * 2


class ScriptedModule(torch.nn.Module):
    """A submodule was scripted: export traces Python, not TorchScript."""

    def __init__(self):
        super().__init__()
        self.layer = torch.jit.script(Scale())

    def forward(self, x):
        return self.layer(x).sin()


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = ScriptedModule()
