import torch


@torch.jit.script
def scaled(x: torch.Tensor) -> torch.Tensor:
    return x * 2


class JitScriptFunction(torch.nn.Module):
    """A function under `torch.jit.script` is called from forward."""

    def forward(self, x):
        return scaled(x) + 1


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = JitScriptFunction()
