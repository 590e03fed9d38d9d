import torch


class OutResizedOk(torch.nn.Module):
    """The tensor under `out=` has the size of the result."""

    def forward(self, x):
        result = torch.empty_like(x)
        torch.mul(x, 2, out=result)
        return result


example_args = (torch.randn(3, 2),)
tags = {"torch.operator", "torch.mutation"}
model = OutResizedOk()
