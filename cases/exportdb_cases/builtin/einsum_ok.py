import torch


class EinsumOk(torch.nn.Module):
    """`torch.einsum` is an operator of the graph."""

    def forward(self, x, y):
        return torch.einsum("ij,kj->ik", x, y)


example_args = (torch.randn(3, 2), torch.randn(4, 2))
tags = {"torch.operator"}
model = EinsumOk()
