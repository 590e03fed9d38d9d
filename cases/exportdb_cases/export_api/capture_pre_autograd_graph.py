import torch
from torch._export import capture_pre_autograd_graph


class CapturePreAutogradGraph(torch.nn.Module):
    """`capture_pre_autograd_graph` was replaced by `torch.export.export_for_training`, then by `export`."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(3, 2),)
captured = capture_pre_autograd_graph(CapturePreAutogradGraph(), example_args)
tags = {"torch.operator"}
model = CapturePreAutogradGraph()
twin = "size_two_ok"
