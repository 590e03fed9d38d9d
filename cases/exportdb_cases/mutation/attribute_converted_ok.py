import torch


class AttributeConvertedOk(torch.nn.Module):
    """An attribute is converted to what the input is: each call does it again, so nothing is lost."""

    def __init__(self):
        super().__init__()
        self.grid = torch.arange(3.0)
        self.register_buffer("scale", torch.ones(3))

    def forward(self, x):
        self.grid = self.grid.to(x.device)
        self.scale = self.scale.to(x)
        return x * self.scale + self.grid


example_args = (torch.randn(2, 3),)
tags = {"python.object-model"}
model = AttributeConvertedOk()
