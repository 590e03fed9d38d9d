import torch


class ConfigRaiseOk(torch.nn.Module):
    """A raise that is guarded by a setting is decided while tracing."""

    def __init__(self):
        super().__init__()
        self.kind = "sin"

    def forward(self, x):
        if self.kind not in ("sin", "cos"):
            raise ValueError(self.kind)
        return x.sin() if self.kind == "sin" else x.cos()


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = ConfigRaiseOk()
