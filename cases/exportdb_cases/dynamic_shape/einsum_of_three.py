import torch


class EinsumOfThree(torch.nn.Module):
    """Where opt_einsum is installed, torch asks it in which order to contract: it reads all sizes as numbers."""

    def forward(self, x, y, z):
        return torch.einsum("bde,bnd,bn->bne", x, y, z)


example_args = (torch.randn(4, 3, 5), torch.randn(4, 7, 3), torch.randn(4, 7))
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}, "y": {0: torch.export.Dim.AUTO}, "z": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = EinsumOfThree()
