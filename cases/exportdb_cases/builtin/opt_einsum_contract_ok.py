import torch


class OptEinsumContractOk(torch.nn.Module):
    """`torch.einsum` asks opt_einsum by itself, for three operands or more."""

    def forward(self, x, y):
        return torch.einsum("ij,jk->ik", x, y)


example_args = (torch.randn(4, 2), torch.randn(2, 3))
tags = {"torch.operator"}
model = OptEinsumContractOk()
