import torch


class TopkOfMinOk(torch.nn.Module):
    """`topk(min(4, n))` under a named Dim that is never smaller."""

    def forward(self, x):
        return x.topk(min(4, x.shape[0]), dim=0).values


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows", min=4)}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = TopkOfMinOk()
