import torch


class EinsumOfThreeOk(torch.nn.Module):
    """Two operands at a time need no order."""

    def forward(self, x, y, z):
        return torch.einsum("bne,bn->bne", torch.einsum("bde,bnd->bne", x, y), z)


example_args = (torch.randn(4, 3, 5), torch.randn(4, 7, 3), torch.randn(4, 7))
dynamic_shapes = {
    "x": {0: torch.export.Dim("batch")},
    "y": {0: torch.export.Dim("batch")},
    "z": {0: torch.export.Dim("batch")},
}
tags = {"torch.dynamic-shape", "torch.operator"}
model = EinsumOfThreeOk()
