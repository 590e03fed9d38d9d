import torch


class ForwardHook(torch.nn.Module):
    """A hook that is registered in forward."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        seen = []
        handle = self.layer.register_forward_hook(lambda module, args, output: seen.append(output))
        y = self.layer(x)
        handle.remove()
        return y + seen[0]


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ForwardHook()
twin = "module_in_forward_ok"
issues = ("https://github.com/pytorch/pytorch/issues/153062",)
