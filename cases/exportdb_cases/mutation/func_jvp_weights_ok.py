import torch


class FuncJvpWeightsOk(torch.nn.Module):
    """`torch.func.jvp` of a layer that the code in front of it has called."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 2)

    def forward(self, x, direction):
        y = self.layer(x)
        return y + torch.func.jvp(self.layer, (x,), (direction,))[1]


example_args = (torch.randn(2, 3), torch.randn(2, 3))
tags = {"torch.operator"}
model = FuncJvpWeightsOk()
