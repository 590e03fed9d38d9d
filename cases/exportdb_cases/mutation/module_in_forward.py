import torch


class ModuleInForward(torch.nn.Module):
    """A module made in forward draws new weights in every call: non-strict puts the drawing into the graph, strict refuses."""

    def forward(self, x):
        layer = torch.nn.Linear(2, 4)
        return layer(x)


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ModuleInForward()
