import torch


class CheckNotItem(torch.nn.Module):
    """`torch._check(not flag)` asks for the truth value before the check sees it."""

    def forward(self, x):
        bad = torch.isnan(x).any().item()
        torch._check(not bad)
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = CheckNotItem()
twin = "tensor_assert_not_ok"
