import torch


class ItemAsDim(torch.nn.Module):
    """Dimensions that come from a tensor: export must know which dimension an operator works on."""

    def forward(self, x):
        dims = torch.arange(1, x.dim()).tolist()
        return x.mean(dim=dims)


example_args = (torch.randn(2, 3, 4),)
tags = {"torch.dynamic-value", "torch.operator"}
model = ItemAsDim()
twin = "item_as_dim_ok"
