import torch


class OneHotOfSizeOk(torch.nn.Module):
    """Ones put where the classes say, by `scatter`."""

    def forward(self, x):
        return torch.zeros(*x.shape, x.shape[0], dtype=torch.long).scatter(-1, x.argsort().unsqueeze(-1), 1)


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = OneHotOfSizeOk()
