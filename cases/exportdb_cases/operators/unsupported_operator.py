import torch


class UnsupportedOperator(torch.nn.Module):
    """`torch.sym_min` of a size and a number, once unsupported."""

    def forward(self, x):
        return x.sum() + torch.sym_min(x.size(0), 100)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator", "torch.dynamic-shape"}
model = UnsupportedOperator()
exportdb_case = "unsupported_operator"
