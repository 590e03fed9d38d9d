import torch


class MaskedNumelIf(torch.nn.Module):
    """After a mask the number of elements is data; asking whether it is 0 is a branch on it."""

    def forward(self, x):
        chosen = x[x > 0]
        if chosen.numel() == 0:
            return x.new_zeros(())
        return chosen.sum()


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = MaskedNumelIf()
twin = "nonzero_for_ok"
issues = ("https://github.com/pytorch/pytorch/issues/135618",)
