import torch


class DecompositionsInPlaceOk(torch.nn.Module):
    """In-place operators become functional ones."""

    def forward(self, x):
        y = x.clone()
        y.add_(1)
        y[0] = 0
        return y


example_args = (torch.randn(3),)
after = "decompose"
tags = {"torch.operator", "torch.mutation"}
model = DecompositionsInPlaceOk()
