import torch


class SymConstrainRange(torch.nn.Module):
    """`torch.sym_constrain_range` on an unbacked number."""

    def forward(self, n):
        value = n.item()
        torch.sym_constrain_range(value, min=0, max=16)
        return torch.ones(4) * value


example_args = (torch.tensor(4),)
tags = {"torch.dynamic-value"}
model = SymConstrainRange()
twin = "constrain_as_value_example"
