import torch


class CondPredicateFloat(torch.nn.Module):
    """A predicate that is a float tensor: it is true when it is not 0."""

    def forward(self, x):
        return torch.cond(x.sum().relu(), lambda x: x.sin(), lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "torch.dynamic-value"}
model = CondPredicateFloat()
twin = "tensor_if_ok"
