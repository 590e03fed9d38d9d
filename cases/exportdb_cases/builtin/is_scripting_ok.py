import torch


class IsScriptingOk(torch.nn.Module):
    """What only TorchScript may do is behind `torch.jit.is_scripting()`."""

    def forward(self, x):
        if torch.jit.is_scripting():
            return x
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.escape-hatch"}
model = IsScriptingOk()
