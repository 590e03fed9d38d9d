import torch


class NonzeroForOk(torch.nn.Module):
    """Indexing with the mask, without a loop."""

    def forward(self, x):
        return x[x > 0].sum()


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = NonzeroForOk()
