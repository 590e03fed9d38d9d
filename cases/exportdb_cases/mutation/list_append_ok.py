import torch


class ListAppendOk(torch.nn.Module):
    """A list that lives in one call is unrolled."""

    def forward(self, x):
        seen = []
        for _ in range(3):
            x = x.sin()
            seen.append(x)
        return torch.stack(seen).sum(0)


example_args = (torch.randn(3, 2),)
tags = {"python.data-structure"}
model = ListAppendOk()
