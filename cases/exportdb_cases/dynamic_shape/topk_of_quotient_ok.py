import torch


class TopkOfQuotientOk(torch.nn.Module):
    """`topk(n // 2)` under twice a Dim."""

    def forward(self, x):
        return x.topk(x.shape[0] // 2, dim=0).values


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: 2 * torch.export.Dim("half", min=2)}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = TopkOfQuotientOk()
