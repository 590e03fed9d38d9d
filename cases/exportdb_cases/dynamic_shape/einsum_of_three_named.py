import torch


class EinsumOfThreeNamed(torch.nn.Module):
    """A named dimension that opt_einsum reads as a number cannot stay dynamic."""

    def forward(self, x, y, z):
        return torch.einsum("bde,bnd,bn->bne", x, y, z)


example_args = (torch.randn(4, 3, 5), torch.randn(4, 7, 3), torch.randn(4, 7))
dynamic_shapes = {
    "x": {0: torch.export.Dim("batch")},
    "y": {0: torch.export.Dim("batch")},
    "z": {0: torch.export.Dim("batch")},
}
tags = {"torch.dynamic-shape", "torch.operator"}
model = EinsumOfThreeNamed()
twin = "einsum_of_three_ok"
