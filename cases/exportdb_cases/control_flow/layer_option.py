import torch


class LayerOption(torch.nn.Module):
    """A branch on a tensor that a layer's option asks for."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        if self.layer.bias is not None:
            x = x if x.sum() > 0 else -x
        return self.layer(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = LayerOption()
