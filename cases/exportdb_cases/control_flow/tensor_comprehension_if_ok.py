import torch


class TensorComprehensionIfOk(torch.nn.Module):
    """Weighting with the condition keeps every row in the graph."""

    def forward(self, x):
        keep = (x.sum(1, keepdim=True) > 0).to(x.dtype)
        return x[0] + (x * keep).sum(0)


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = TensorComprehensionIfOk()
