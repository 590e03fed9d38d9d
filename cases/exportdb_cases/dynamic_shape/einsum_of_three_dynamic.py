import torch


class EinsumOfThreeDynamic(torch.nn.Module):
    """Where opt_einsum is installed, torch asks it in which order to contract: it reads all sizes as numbers, under `Dim.DYNAMIC`."""

    def forward(self, x, y, z):
        return torch.einsum("bde,bnd,bn->bne", x, y, z)


example_args = (torch.randn(4, 3, 5), torch.randn(4, 7, 3), torch.randn(4, 7))
dynamic_shapes = {
    "x": {0: torch.export.Dim.DYNAMIC},
    "y": {0: torch.export.Dim.DYNAMIC},
    "z": {0: torch.export.Dim.DYNAMIC},
}
tags = {"torch.dynamic-shape", "torch.operator"}
model = EinsumOfThreeDynamic()
twin = "einsum_of_three_ok"
