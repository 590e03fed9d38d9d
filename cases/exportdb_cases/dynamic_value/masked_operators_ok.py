import torch


class MaskedOperatorsOk(torch.nn.Module):
    """Operators that take the rows that a mask picks, however many there are."""

    def forward(self, x):
        rows = x[x[:, 0] > 0]
        rows = torch.nn.functional.layer_norm(rows, (8,)).softmax(-1)
        return torch.cat([rows, x]).sum(0), rows.split(4, dim=1), rows.diff(dim=1)


example_args = (torch.randn(6, 8),)
tags = {"torch.dynamic-value", "torch.operator"}
model = MaskedOperatorsOk()
