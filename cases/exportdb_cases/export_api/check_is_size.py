import torch


class CheckIsSize(torch.nn.Module):
    """`torch._check_is_size` on an unbacked number."""

    def forward(self, n):
        size = n.item()
        torch._check_is_size(size)
        return torch.ones(size)


example_args = (torch.tensor(4),)
tags = {"torch.dynamic-value"}
model = CheckIsSize()
twin = "zeros_item_ok"
