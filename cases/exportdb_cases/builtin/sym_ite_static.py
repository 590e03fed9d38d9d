import torch


class SymIteStatic(torch.nn.Module):
    """`torch.sym_ite` of sizes that are plain numbers."""

    def forward(self, x):
        return x.new_zeros(torch.sym_ite(x.shape[0] > 1, x.shape[0], 1))


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = SymIteStatic()
