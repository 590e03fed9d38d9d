import torch


class FuncJvpWeights(torch.nn.Module):
    """`torch.func.jvp` of a layer: its weights are first read under the transform."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 2)

    def forward(self, x, direction):
        return torch.func.jvp(self.layer, (x,), (direction,))[1]


example_args = (torch.randn(2, 3), torch.randn(2, 3))
tags = {"torch.operator"}
model = FuncJvpWeights()
