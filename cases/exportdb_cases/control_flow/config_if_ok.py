import torch


class ConfigIfOk(torch.nn.Module):
    """A branch on a setting of the module is decided once, while tracing."""

    def __init__(self):
        super().__init__()
        self.residual = True

    def forward(self, x):
        y = x.sin()
        if self.residual:
            y = y + x
        return y


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = ConfigIfOk()
