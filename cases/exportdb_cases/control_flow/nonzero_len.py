import torch


class NonzeroLen(torch.nn.Module):
    """How many elements are not zero is data: a comparison with the length is a branch on it."""

    def forward(self, x):
        hits = x.nonzero()
        if len(hits) > 2:
            return x.sin()
        return x.cos()


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = NonzeroLen()
