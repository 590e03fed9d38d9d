import torch


class CondPredicateVector(torch.nn.Module):
    """A predicate with more than one element."""

    def forward(self, x):
        return torch.cond(x > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))


example_args = (torch.randn(1, 1),)
extra_inputs = [(torch.randn(1, 1),)]
tags = {"torch.cond", "torch.dynamic-value"}
model = CondPredicateVector()
