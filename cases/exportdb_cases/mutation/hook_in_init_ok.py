import torch


class HookInInitOk(torch.nn.Module):
    """A forward hook that `__init__` registered runs while tracing."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
        self.layer.register_forward_hook(lambda module, args, output: output * 2)

    def forward(self, x):
        return self.layer(x)


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = HookInInitOk()
