import torch


class PoolOverAllOk(torch.nn.Module):
    """The mean over a whole dynamic size."""

    def forward(self, x):
        return x.mean(-1, keepdim=True)


example_args = (torch.randn(1, 2, 6),)
dynamic_shapes = {"x": {2: torch.export.Dim("length")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = PoolOverAllOk()
