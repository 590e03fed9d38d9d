import torch


class VmapOk(torch.nn.Module):
    """`torch.vmap` over the rows is traced into the graph."""

    def forward(self, x):
        return torch.vmap(lambda row: row.sin().sum())(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.map"}
model = VmapOk()
issues = ("https://github.com/pytorch/pytorch/issues/153063",)
