import torch


class FuncGradLinear(torch.nn.Module):
    """`torch.func.grad` of an energy that a linear layer computes."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 1)

    def forward(self, x):
        return -torch.func.grad(lambda y: self.layer(y).tanh().sum())(x)


example_args = (torch.randn(2, 3),)
tags = {"torch.operator"}
model = FuncGradLinear()
twin = "func_jvp_weights_ok"
