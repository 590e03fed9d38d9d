import torch


class Scale(torch.nn.Module):
    def forward(self, x):
        return x * 2


class JitTracedModule(torch.nn.Module):
    """A submodule is what `torch.jit.trace` made of a module: non-strict export runs it, strict export does not look into it."""

    def __init__(self):
        super().__init__()
        self.layer = torch.jit.trace(Scale(), torch.randn(3, 2))

    def forward(self, x):
        return self.layer(x).sin()


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = JitTracedModule()
twin = "scripted_module_ok"
