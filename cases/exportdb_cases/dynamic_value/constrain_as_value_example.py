import torch


class ConstrainAsValueExample(torch.nn.Module):
    """`torch._check` tells the range of a number that decides a branch."""

    def forward(self, n, x):
        value = n.item()
        torch._check(value >= 0)
        torch._check(value <= 6)
        if value < 7:
            return x.sin()
        return x.cos()


example_args = (torch.tensor(4), torch.randn(3, 2))
tags = {"torch.dynamic-value", "torch.escape-hatch"}
model = ConstrainAsValueExample()
exportdb_case = "constrain_as_value_example"
