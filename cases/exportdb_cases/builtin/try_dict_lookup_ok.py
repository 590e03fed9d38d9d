import torch


class TryDictLookupOk(torch.nn.Module):
    """Asking forgiveness for a missing key is decided while tracing."""

    def __init__(self):
        super().__init__()
        self.scales = {"a": 2.0}

    def forward(self, x):
        try:
            scale = self.scales["b"]
        except KeyError:
            scale = 1.0
        return x * scale


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "python.control-flow"}
model = TryDictLookupOk()
