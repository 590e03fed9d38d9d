import torch


class MaskAnyIf(torch.nn.Module):
    """Skipping work when a mask has no true element is a branch on data."""

    def forward(self, x, padding):
        if padding.any():
            x = x.masked_fill(padding, 0.0)
        return x.sum(1)


example_args = (torch.randn(3, 4), torch.tensor([[False, False, True, True]] * 3))
tags = {"python.control-flow", "torch.dynamic-value"}
model = MaskAnyIf()
