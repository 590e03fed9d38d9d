import torch


class CheckItemMessage(torch.nn.Module):
    """`torch._check` on a number from a tensor with a message: strict trips over the function that makes the message."""

    def forward(self, x, n):
        count = n.item()
        torch._check(count >= 1, lambda: "nothing to do")
        return x * count


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.control-flow", "torch.dynamic-value"}
model = CheckItemMessage()
twin = "item_raise_ok"
