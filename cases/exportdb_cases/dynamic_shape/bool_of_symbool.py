import torch


class BoolOfSymbool(torch.nn.Module):
    """A keyword that must be a bool is given a comparison of a size."""

    def forward(self, x):
        causal = x.shape[1] > 1
        return torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=causal)


example_args = (torch.randn(2, 4, 8),)
dynamic_shapes = {"x": {1: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = BoolOfSymbool()
twin = "bool_of_symbool_ok"
issues = ("https://github.com/pytorch/pytorch/issues/154038",)
