import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class EinsumOfThreeUnbacked(torch.nn.Module):
    """`einsum` of three operands, one with an unbacked size."""

    def forward(self, x, y, z):
        return torch.einsum("bde,bnd,bn->bne", x, y, z)


example_args = (torch.randn(4, 3, 5), torch.randn(4, 7, 3), torch.randn(4, 7))
batch = ShapeVar("batch")
dynamic_shapes = ShapesSpec(
    ParamsSpec(
        {"x": TensorSpec([batch, None, None]), "y": TensorSpec([batch, None, None]), "z": TensorSpec([batch, None])}
    )
)
tags = {"torch.dynamic-shape", "torch.operator"}
model = EinsumOfThreeUnbacked()
twin = "einsum_of_three_ok"
