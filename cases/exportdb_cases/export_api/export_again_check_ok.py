import torch


class ExportAgainCheckOk(torch.nn.Module):
    """The number that a size depends on keeps its checks when the program is exported again."""

    def forward(self, n):
        n = n.item()
        torch._check(n >= 2)
        return torch.zeros(n).sin()


example_args = (torch.tensor(4),)
after = "export"
tags = {"torch.dynamic-value"}
model = ExportAgainCheckOk()
