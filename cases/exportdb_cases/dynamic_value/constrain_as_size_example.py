import torch


class ConstrainAsSizeExample(torch.nn.Module):
    """`torch._check` tells the range of a number that becomes a size."""

    def forward(self, n):
        size = n.item()
        torch._check(size >= 0)
        torch._check(size <= 9)
        return torch.zeros(size, 5)


example_args = (torch.tensor(4),)
tags = {"torch.dynamic-value", "torch.escape-hatch"}
model = ConstrainAsSizeExample()
exportdb_case = "constrain_as_size_example"
