import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class AttentionUnbacked(torch.nn.Module):
    """Attention with heads over an unbacked number of tokens."""

    def forward(self, x):
        return torch.nn.functional.scaled_dot_product_attention(x, x, x)


example_args = (torch.randn(2, 3, 4, 8),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([None, None, ShapeVar("tokens"), None])}))
tags = {"torch.dynamic-shape", "torch.operator"}
model = AttentionUnbacked()
twin = "attention_dynamic_ok"
