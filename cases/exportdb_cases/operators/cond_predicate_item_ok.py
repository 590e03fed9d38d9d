import torch


class CondPredicateItemOk(torch.nn.Module):
    """A predicate that compares an unbacked number."""

    def forward(self, x, n):
        return torch.cond(n.item() > 3, lambda x: x.sin(), lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2), torch.tensor(4))
extra_inputs = [(torch.randn(3, 2), torch.tensor(2)), (torch.randn(3, 2), torch.tensor(7))]
tags = {"torch.cond", "torch.dynamic-value"}
model = CondPredicateItemOk()
