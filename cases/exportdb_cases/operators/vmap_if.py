import torch


class VmapIf(torch.nn.Module):
    """`torch.where` chooses by a value inside `torch.vmap`."""

    def forward(self, x):
        return torch.vmap(lambda row: torch.where(row.sum() > 0, row.sin(), row.cos()))(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.map", "python.control-flow"}
model = VmapIf()
