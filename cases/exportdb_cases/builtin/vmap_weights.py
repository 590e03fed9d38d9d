import torch


class VmapWeights(torch.nn.Module):
    """`torch.vmap` of a module: its weights are first read under the transform."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)

    def forward(self, x):
        return torch.vmap(self.linear)(x)


example_args = (torch.randn(4, 3, 2),)
tags = {"torch.operator"}
model = VmapWeights()
