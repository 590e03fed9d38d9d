import torch


class BackwardLayer(torch.nn.Module):
    """`backward()` through a linear layer inside forward."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 1)

    def forward(self, x):
        self.layer(x).sum().backward()
        return x + x.grad.sign()


example_args = (torch.randn(2, 3, requires_grad=True),)
tags = {"torch.operator"}
model = BackwardLayer()
twin = "autograd_grad_layer_ok"
