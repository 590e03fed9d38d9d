import torch


class CondPredicateConstant(torch.nn.Module):
    """A predicate that is a Python bool is decided while tracing."""

    def __init__(self):
        super().__init__()
        self.sine = True

    def forward(self, x):
        return torch.cond(self.sine, lambda x: x.sin(), lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondPredicateConstant()
twin = "config_if_ok"
