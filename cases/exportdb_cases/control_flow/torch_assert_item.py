import torch


class TorchAssertItem(torch.nn.Module):
    """`torch._assert` converts a comparison with a number from a tensor to bool."""

    def forward(self, x, n):
        count = n.item()
        torch._assert(count >= 1, "nothing to do")
        return x * count


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.control-flow", "torch.dynamic-value"}
model = TorchAssertItem()
twin = "item_raise_ok"
