import torch


class BoolCallIf(torch.nn.Module):
    """A branch on what `bool(t)` gave: strict export has a symbol of it, and fails here."""

    def forward(self, x):
        positive = bool(x.sum() > 0)
        if positive:
            return x.sin()
        return x.cos()


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = BoolCallIf()
twin = "tensor_where_ok"
