import torch


class DropoutOk(torch.nn.Module):
    """torch's own random operators, such as dropout, draw in the graph."""

    def forward(self, x):
        return torch.nn.functional.dropout(x, 0.5)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = DropoutOk()
