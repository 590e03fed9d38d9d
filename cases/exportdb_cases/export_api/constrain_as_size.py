import torch


class ConstrainAsSize(torch.nn.Module):
    """`torch._constrain_as_size` came and went."""

    def forward(self, n):
        size = n.item()
        torch._constrain_as_size(size, min=0, max=16)
        return torch.ones(size)


example_args = (torch.tensor(4),)
tags = {"torch.dynamic-value"}
model = ConstrainAsSize()
twin = "constrain_as_size_example"
