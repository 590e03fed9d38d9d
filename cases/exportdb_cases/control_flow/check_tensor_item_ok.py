import torch


class CheckTensorItemOk(torch.nn.Module):
    """`torch._check` on the `.item()` of a condition is exported, though not with its message."""

    def forward(self, x):
        torch._check((x.abs() < 100).all().item())
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = CheckTensorItemOk()
