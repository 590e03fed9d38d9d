import torch


class MaskAnyIfOk(torch.nn.Module):
    """Masking without asking gives the same result when nothing is masked."""

    def forward(self, x, padding):
        x = x.masked_fill(padding, 0.0)
        return x.sum(1)


example_args = (torch.randn(3, 4), torch.tensor([[False, False, True, True]] * 3))
tags = {"python.control-flow", "torch.dynamic-value"}
model = MaskAnyIfOk()
