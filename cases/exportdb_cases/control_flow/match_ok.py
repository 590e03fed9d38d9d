import torch


class MatchOk(torch.nn.Module):
    """A match on a Python value is decided while tracing."""

    def __init__(self):
        super().__init__()
        self.kind = "cos"

    def forward(self, x):
        match self.kind:
            case "sin":
                return x.sin()
            case "cos":
                return x.cos()
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = MatchOk()
