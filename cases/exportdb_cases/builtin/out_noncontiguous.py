import torch


class OutNoncontiguous(torch.nn.Module):
    """`out=` a transposed tensor: strict export takes contiguous ones only."""

    def forward(self, x):
        out = torch.zeros(2, 3).t()
        torch.mul(x, 2.0, out=out)
        return out + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = OutNoncontiguous()
twin = "out_resized_ok"
