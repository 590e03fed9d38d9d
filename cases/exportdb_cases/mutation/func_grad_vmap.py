import torch


class FuncGradVmap(torch.nn.Module):
    """`torch.vmap` of `torch.func.grad`: a gradient for each row, of a transform that was made before."""

    def __init__(self):
        super().__init__()
        self.slopes = torch.vmap(torch.func.grad(lambda y: y.sin().sum()))

    def forward(self, x):
        return self.slopes(x)


example_args = (torch.randn(2, 3),)
tags = {"torch.map"}
model = FuncGradVmap()
twin = "vmap_ok"
