import torch


class AutogradGradLayer(torch.nn.Module):
    """The gradient of a layer's output: its backward pass needs a tensor that the trace does not have."""

    def __init__(self):
        super().__init__()
        self.energy = torch.nn.Linear(2, 1)

    def forward(self, x):
        y = x.detach().requires_grad_()
        (gradient,) = torch.autograd.grad(self.energy(y).sum(), y)
        return x - gradient


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = AutogradGradLayer()
issues = ("https://github.com/pytorch/pytorch/issues/146719",)
