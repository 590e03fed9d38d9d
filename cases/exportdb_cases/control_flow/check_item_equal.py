import torch


class CheckItemEqual(torch.nn.Module):
    """`torch._check(n == 4)` fixes an unbacked number."""

    def forward(self, x, n):
        count = n.item()
        torch._check(count == 4)
        return x * count


example_args = (torch.randn(3, 2), torch.tensor(4))
extra_inputs = [(torch.randn(3, 2), torch.tensor(4)), (torch.randn(3, 2) + 1, torch.tensor(4))]
tags = {"torch.dynamic-value"}
model = CheckItemEqual()
