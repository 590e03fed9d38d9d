import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class StftUnbacked(torch.nn.Module):
    """`stft` over an unbacked length."""

    def forward(self, x):
        return x.stft(16, 4, window=torch.ones(16), return_complex=True).abs()


example_args = (torch.randn(2, 64),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([None, ShapeVar("samples")])}))
tags = {"torch.dynamic-shape"}
model = StftUnbacked()
twin = "stft_named_ok"
