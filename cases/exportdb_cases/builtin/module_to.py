import torch


class ModuleTo(torch.nn.Module):
    """`module.to()` in forward."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        self.layer.to(x.dtype)
        return self.layer(x)


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ModuleTo()
twin = "module_in_forward_ok"
