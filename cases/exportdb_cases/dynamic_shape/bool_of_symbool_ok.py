import torch


class BoolOfSymboolOk(torch.nn.Module):
    """The keyword is given a setting of the module."""

    def forward(self, x):
        return torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True)


example_args = (torch.randn(2, 4, 8),)
dynamic_shapes = {"x": {1: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = BoolOfSymboolOk()
