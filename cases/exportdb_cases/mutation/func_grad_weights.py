import torch


class FuncGradWeights(torch.nn.Module):
    """`torch.func.grad` of a function that is the first to read a parameter."""

    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.randn(3))

    def forward(self, x):
        return torch.func.grad(lambda y: (y * self.scale).sin().sum())(x)


example_args = (torch.randn(2, 3),)
tags = {"torch.operator"}
model = FuncGradWeights()
twin = "autograd_grad_ok"
