import torch


class FunctorchMap(torch.nn.Module):
    """`map` from functorch.experimental.control_flow."""

    def forward(self, x):
        from functorch.experimental.control_flow import map

        return map(lambda row: row.sin(), x)


example_args = (torch.randn(3, 2),)
tags = {"torch.map"}
model = FunctorchMap()
twin = "map_ok"
