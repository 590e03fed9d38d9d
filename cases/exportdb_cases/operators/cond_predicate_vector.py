import torch


class CondPredicateVector(torch.nn.Module):
    """A predicate with more than one element."""

    def forward(self, x):
        return torch.cond(x > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "torch.dynamic-value"}
model = CondPredicateVector()
twin = "cond_predicate"
