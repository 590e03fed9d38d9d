import torch


class ItemAsDimOk(torch.nn.Module):
    """Dimensions as plain Python numbers."""

    def forward(self, x):
        dims = list(range(1, x.dim()))
        return x.mean(dim=dims)


example_args = (torch.randn(2, 3, 4),)
tags = {"torch.dynamic-value", "torch.operator"}
model = ItemAsDimOk()
