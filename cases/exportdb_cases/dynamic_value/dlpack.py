import torch


class Dlpack(torch.nn.Module):
    """DLPack passes the memory of a tensor on, which fake tensors do not have."""

    def forward(self, x):
        return torch.from_dlpack(x) + 1


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = Dlpack()
