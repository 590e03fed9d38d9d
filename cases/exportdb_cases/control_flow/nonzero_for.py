import torch


class NonzeroFor(torch.nn.Module):
    """Iterating over `nonzero()` runs as often as the data says."""

    def forward(self, x):
        total = x.new_zeros(())
        for i in (x > 0).nonzero():
            total = total + x[i[0], i[1]]
        return total


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = NonzeroFor()
