import torch


class OutResized(torch.nn.Module):
    """An operator makes the empty tensor under `out=` as large as its result."""

    def forward(self, x):
        result = torch.empty(0)
        torch.mul(x, 2, out=result)
        return result


example_args = (torch.randn(3, 2),)
tags = {"torch.operator", "torch.mutation"}
model = OutResized()
