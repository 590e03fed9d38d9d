import torch


class ModuleWithoutParametersInForwardOk(torch.nn.Module):
    """A module without parameters may be made in forward."""

    def forward(self, x):
        return torch.nn.ReLU()(x)


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ModuleWithoutParametersInForwardOk()
